import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { describeInBrowser, type OpenPage } from "../support/browser.ts";
import { buildPage } from "../support/page-bundle.ts";
import { type RunningPage, startPage } from "./start-page.ts";

await describeInBrowser("the page", (browser) => {
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

  test("a line typed in a channel is answered there, and the card comes", async () => {
    const { page } = opened;
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("/curfew exclude i-0a1 for 2h");
    await line.press("Enter");
    const messages = page.getByRole("log", { name: "Messages in #ops" });
    await messages.getByText("Only visible to you").waitFor();
    await messages.getByText("You excluded i-0a1 from stopping").waitFor();
    const card = messages.getByRole("article").filter({ hasText: "@alice excluded i-0a1" });
    expect(await card.getByRole("button", { name: "Extend" }).isVisible()).toBe(true);
    expect(await line.inputValue()).toBe("");
  });

  test("the exclusion form is filled in, complained about, searched and sent", async () => {
    const { page } = opened;
    await page.getByRole("combobox", { name: "Message #ops" }).fill("/curfew exclude");
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "New exclusion" });
    await form.getByRole("button", { name: "New exclusion" }).click();
    await form.getByText("Please complete this required field.").waitFor();
    await form.getByLabel("Resource ids").fill("i-0a2");
    await form.getByLabel("Resource type").fill("ec2");
    await form.getByRole("option", { name: "amazon-ec2-instance" }).click();
    await form.getByRole("combobox", { name: "Project" }).fill("dev");
    await form.getByRole("option", { name: "Development (p-dev)" }).click();
    await form.getByRole("radio", { name: "Both" }).check();
    await form.getByRole("button", { name: "New exclusion" }).click();
    await page.getByText("@alice excluded i-0a2").waitFor();
    expect(await form.isVisible()).toBe(false);
    expect([...sandbox.curfew.service.account.exclusions.values()]).toContainEqual(
      expect.objectContaining({ resourceIds: ["i-0a2"], processes: ["start-resource", "stop-resource"] }),
    );
  });
});
