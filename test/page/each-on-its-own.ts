import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { OpenPage, TestBrowser } from "../support/browser.ts";
import { buildPage } from "../support/page-bundle.ts";
import { type RunningPage, startPage } from "./start-page.ts";

/** Gives each test of a describe a sandbox of its own, and its page in a browser, as alice in #ops. */
export function eachOnItsOwn(browser: TestBrowser) {
  let bundle: ReturnType<typeof buildPage>;
  beforeAll(() => {
    bundle = buildPage();
  });
  afterAll(() => bundle.remove());
  let sandbox: RunningPage;
  let opened: OpenPage;
  beforeEach(async () => {
    sandbox = await startPage(bundle.folder);
    opened = await browser.open(sandbox.url);
  });
  afterEach(async () => {
    await opened.close();
    await sandbox.stop();
  });
  return {
    sandbox: () => sandbox,
    opened: () => opened,
    /** In another window, such as a phone's. */
    reopen: async (options: BrowserContextOptions) => {
      await opened.close();
      opened = await browser.open(sandbox.url, options);
    },
  };
}
