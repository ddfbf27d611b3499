import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe } from "vitest";
import { launchBrowser } from "./launch-browser.ts";

export interface TestBrowser {
  /** A page in a fresh profile. What it writes to the console as an error, or throws, fails the test that calls `close`. */
  open(url: string, options?: BrowserContextOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  readonly page: Page;
  /** Also checks that nothing went wrong in the page. */
  close(): Promise<void>;
}

/**
 * Tests in a browser of their own: one for each file, since starting it takes long. On a machine where none starts they are left out,
 * and the run says so.
 */
export async function describeInBrowser(title: string, define: (browser: TestBrowser) => void): Promise<void> {
  const browser = await startBrowser();
  if ("missing" in browser) {
    process.stderr.write(`The tests of "${title}" are left out, since no browser starts here: ${browser.missing}\n`);
    describe.skip(title, () => define(absent));
    return;
  }
  describe(title, () => {
    afterAll(() => browser.close());
    define(browser);
  });
}

const absent: TestBrowser = {
  open: () => Promise.reject(new Error("There is no browser.")),
  close: async () => undefined,
};

async function startBrowser(): Promise<TestBrowser | { readonly missing: string }> {
  try {
    const browser = await launchBrowser();
    return { open: (url, options) => open(browser, url, options), close: () => browser.close() };
  } catch (error) {
    return { missing: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
  }
}

async function open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(15_000);
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
