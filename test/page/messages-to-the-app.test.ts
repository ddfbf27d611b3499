import { readFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "vitest";
import { describeInBrowser, type OpenPage } from "../support/browser.ts";
import { builtPage } from "../support/built.ts";
import { type RunningPage, startPage } from "./start-page.ts";

await describeInBrowser("messages to the app", (browser) => {
  let sandbox: RunningPage;
  let alice: OpenPage;
  beforeEach(async () => {
    const manifest: unknown = JSON.parse(readFileSync("manifest/slack-app.workflows.json", "utf8"));
    sandbox = await startPage(builtPage(), { manifest });
    alice = await browser.open(`${sandbox.url}/#alice/ops`);
  });
  afterEach(async () => {
    await alice.close();
    await sandbox.stop();
  });

  test("a mention in a channel is completed, answered privately, and its card appears", async () => {
    const { page } = alice;
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("@cur");
    await page.getByRole("option", { name: /@Curfew/ }).click();
    await line.pressSequentially("keep staging up for 1h");
    await line.press("Enter");
    const answer = page.getByRole("article").filter({ hasText: "Only visible to you" });
    await answer.getByText("Done.").waitFor();
    await page.getByRole("article").filter({ hasText: "is keeping staging running" }).waitFor();
    await answer.getByRole("button", { name: "Undo" }).click();
    await answer.getByText("Undone.").waitFor();
  });

  test("a workflow keeps machines running, and its message has the outputs of the step", async () => {
    const { page } = alice;
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await page.getByRole("menuitem", { name: "Release · workflow" }).click();
    await page.getByRole("article").filter({ hasText: "Workflow Builder is keeping staging running" }).waitFor();
    await page.getByRole("article").filter({ hasText: "Release: Kept staging running until " }).waitFor();
    await page.getByRole("article").filter({ hasText: "It ends with the exclusion aex-" }).waitFor();
    // Once more: they are kept running already.
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await page.getByRole("menuitem", { name: "Release · workflow" }).click();
    await page.getByRole("article").filter({ hasText: "It ends with the exclusion aex-" }).nth(1).waitFor();
  });

  test("the app's own conversation has a message box, and answers there", async () => {
    const { page } = alice;
    await page.getByRole("link", { name: "Curfew", exact: true }).click();
    await page.getByRole("link", { name: "Messages" }).click();
    const line = page.getByRole("combobox", { name: "Message Curfew" });
    await line.fill("whoami");
    await line.press("Enter");
    await page.getByRole("log", { name: "Messages in Curfew" }).getByText("engineer").first().waitFor();
  });
});
