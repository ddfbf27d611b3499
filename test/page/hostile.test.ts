import type { Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeInBrowser, type OpenPage } from "../support/browser.ts";
import { builtPage } from "../support/built.ts";
import { type RunningPage, startPage } from "./start-page.ts";

const attacks = [
  "<img src=x onerror=hurt=1>",
  "<script>hurt=1</script>",
  "</textarea></dialog><svg onload=hurt=1>",
  "javascript:hurt=1",
  "<!channel> <@U02BOB> <https://evil.example|click>",
  "\u202eevil &lt;b&gt;",
].join(" ");

await describeInBrowser("hostile input", (browser) => {
  let sandbox: RunningPage;
  let opened: OpenPage;
  let requests: string[];
  beforeEach(async () => {
    sandbox = await startPage(builtPage());
    opened = await browser.open(sandbox.url);
    requests = [];
    opened.page.on("request", (request) => void requests.push(request.url()));
    opened.page.on("dialog", (dialog) => void requests.push(`a dialog: ${dialog.message()}`));
  });
  afterEach(async () => {
    await sandbox.stop();
  });

  /** Nothing ran, was fetched from another host, or created an element. */
  const expectHarmless = async (page: Page) => {
    expect(await page.evaluate<unknown>("globalThis.hurt")).toBeUndefined();
    expect(requests.filter((url) => !url.startsWith(sandbox.url))).toEqual([]);
    expect(await page.locator("#page").locator("img, script, svg, iframe, a[href^=javascript]").count()).toBe(0);
    expect(await page.getByRole("link", { name: "click" }).count()).toBe(0);
  };

  test("in names from the service stays text in answers, cards, forms, Home tab and panel", async () => {
    const { page } = opened;
    const { account } = sandbox.curfew.service;
    const action = account.actions.get("a-00000001");
    if (action) account.actions.set(action.actionId, { ...action, name: attacks, tags: [attacks] });
    await page.goto(`${sandbox.url}/#carol/ops`);
    const line = page.getByRole("combobox", { name: "Message #ops" });
    const messages = page.getByRole("log", { name: "Messages in #ops" });
    const type = async (text: string) => {
      await line.fill(text);
      await line.press("Enter");
    };
    await type(`/curfew project rename p-dev ${attacks}`);
    await messages
      .getByRole("article")
      .filter({ hasText: "@carol renamed project" })
      .getByText("<img src=x")
      .first()
      .waitFor();
    await type("/curfew action show a-00000001");
    await messages.getByText("<svg onload").last().waitFor();
    await type("/curfew project rename");
    const form = page.getByRole("dialog", { name: "Rename project" });
    await form.getByRole("combobox", { name: "Project" }).fill("onerror");
    await form.getByRole("option").filter({ hasText: "<img src=x onerror" }).click();
    await form.getByLabel("New name").fill(attacks);
    await form.getByLabel("Reason").fill(attacks);
    await expectHarmless(page);
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "hidden" });
    await type(`/curfew exclude staging --name "${attacks.slice(0, 80)}"`);
    await messages
      .getByRole("article")
      .filter({ hasText: "@carol is keeping staging running" })
      .getByText("in <img src=x")
      .first()
      .waitFor();
    await type("/curfew extend staging 1h");
    await messages.getByRole("article").filter({ hasText: "Only visible to you" }).getByText("Done.").first().waitFor();
    await page.goto(`${sandbox.url}/#carol/dm`);
    await page.getByRole("main").getByText("<img src=x").first().waitFor();
    const panel = page.getByRole("complementary", { name: "Behind the scenes" });
    await panel.getByRole("tab", { name: "Service" }).click();
    await panel.getByRole("listitem").getByText("<img src=x").first().waitFor();
    await expectHarmless(page);
    await opened.close();
  });

  test("from people stays text, except for Slack's mentions and links", async () => {
    const { page } = opened;
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill(`hello ${attacks}`);
    await page.keyboard.press("Escape");
    await line.press("Enter");
    const said = page.getByRole("article").filter({ hasText: "hello" });
    await said.getByText("<script>hurt=1</script>").waitFor();
    await line.fill(`/curfew exclude i-0a1 for 2h --name "${attacks.slice(0, 80)}" --reason "${attacks}"`);
    await page.keyboard.press("Escape");
    await line.press("Enter");
    const card = page.getByRole("article").filter({ hasText: "@alice is keeping i-0a1 running" });
    await card.getByText("<script>hurt=1</script>").first().waitFor();
    await expectHarmless(page);
    await opened.close();
  });

  test("that became a script would not run and would fail its test", async () => {
    const { page } = opened;
    await page.evaluate(`{
      const script = document.createElement("script");
      script.textContent = "globalThis.hurt = 1";
      document.body.append(script);
    }`);
    expect(await page.evaluate<unknown>("globalThis.hurt")).toBeUndefined();
    await expect(opened.close()).rejects.toThrow("Content Security Policy");
  });
});
