import type { BrowserContextOptions } from "playwright-core";
import { afterEach, beforeEach } from "vitest";
import type { OpenPage, TestBrowser } from "../support/browser.ts";
import { builtPage } from "../support/built.ts";
import type { ServedPage } from "./start-page.ts";

/** Gives each test its own sandbox and browser page, as alice in #ops. */
export function eachOnItsOwn<Page extends ServedPage>(browser: TestBrowser, start: (folder: string) => Promise<Page>) {
  let sandbox: Page;
  let opened: OpenPage;
  beforeEach(async () => {
    sandbox = await start(builtPage());
    opened = await browser.open(sandbox.url);
  });
  afterEach(async () => {
    await opened.close();
    await sandbox.stop();
  });
  return {
    sandbox: () => sandbox,
    opened: () => opened,
    /** Reopens the page with other options, for example a phone's. */
    reopen: async (options: BrowserContextOptions) => {
      await opened.close();
      opened = await browser.open(sandbox.url, options);
    },
  };
}
