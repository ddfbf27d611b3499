import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe } from "vitest";
import { hasBrowser, launchBrowser } from "./launch-browser.ts";

/** The timeout for a test in a browser on a busy machine. */
const deadlineMs = 60_000;

export interface TestBrowser {
  /** A page in a fresh profile. A console error or an exception in it fails the test that calls `close`. */
  open(url: string, options?: BrowserContextOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  readonly page: Page;
  /** Also checks that the page had no errors. */
  close(): Promise<void>;
}

/**
 * Tests in a browser, one browser per file because it starts slowly. A system without a browser skips them with a notice. A browser that
 * exists but does not start is a failure.
 */
export async function describeInBrowser(title: string, define: (browser: TestBrowser) => void): Promise<void> {
  if (!hasBrowser()) {
    process.stderr.write(`The tests of "${title}" are left out: there is no /usr/bin/chromium.\n`);
    describe.skip(title, () => define(absent));
    return;
  }
  const browser = await launchBrowser();
  describe(title, { timeout: deadlineMs }, () => {
    afterAll(() => browser.close());
    define({ open: (url, options) => open(browser, url, options), close: () => browser.close() });
  });
}

const absent: TestBrowser = {
  open: () => Promise.reject(new Error("There is no browser.")),
  close: async () => undefined,
};

async function open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(deadlineMs / 2);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error.stack ?? error)));
  await page.goto(url);
  return {
    page,
    close: async () => {
      await context.close();
      if (troubles.length > 0) throw new Error(`The page complained:\n${troubles.join("\n")}`);
    },
  };
}
