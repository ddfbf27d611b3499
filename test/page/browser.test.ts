import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../support/browser.ts";
import { eachOnItsOwn } from "./each-on-its-own.ts";
import { startPage } from "./start-page.ts";

await describeInBrowser("the page", (browser) => {
  const { sandbox, opened, reopen } = eachOnItsOwn(browser, startPage);

  test("answers a typed line in the channel and posts the card", async () => {
    const { page } = opened();
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("/curfew exclude i-0a1 for 2h");
    await line.press("Enter");
    const messages = page.getByRole("log", { name: "Messages in #ops" });
    await messages.getByText("Only visible to you").waitFor();
    await messages.getByText("Done.").waitFor();
    const card = messages.getByRole("article").filter({ hasText: "@alice is keeping i-0a1 running" });
    await card.getByRole("button", { name: "Extend…" }).waitFor();
    expect(await line.inputValue()).toBe("");
  });

  test("completes commands, shortcuts and people with the keyboard alone", async () => {
    const { page } = opened();
    await page.getByLabel("Act as").selectOption("carol");
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.pressSequentially("/cur");
    expect(await page.getByRole("listbox").getByRole("option").allInnerTexts()).toEqual([
      expect.stringContaining("/curfew exclude i-0a1 for 2h · help"),
    ]);
    await line.press("Tab");
    await line.pressSequentially("user disable @bo");
    await line.press("Enter");
    expect(await line.inputValue()).toBe("/curfew user disable @bob ");
    await line.fill("/");
    await line.press("ArrowDown");
    await line.press("Enter");
    await page.getByRole("dialog", { name: "Keep running" }).waitFor();
    expect(await line.inputValue()).toBe("");
  });

  test("shows each person only what is theirs, also after a reload", async () => {
    const { page } = opened();
    await sandbox().act("alice", { kind: "type", text: "/curfew exclude i-0a1 for 2h", where: "ops" });
    await page.getByText("Done.").waitFor();
    await page.getByLabel("Act as").selectOption("dave");
    await page.getByText("@alice is keeping i-0a1 running").waitFor();
    expect(await page.getByText("Done.").count()).toBe(0);
    expect(await page.getByRole("link", { name: "security" }).count()).toBe(0);
    await page.reload();
    await page.getByText("@alice is keeping i-0a1 running").waitFor();
    expect(await page.getByLabel("Act as").inputValue()).toBe("dave");
    await page.getByLabel("Act as").selectOption("carol");
    await page.getByRole("link", { name: "security" }).waitFor();
  });

  test("publishes the Home tab when it is opened, and its buttons work", async () => {
    const { page } = opened();
    await page.getByLabel("Act as").selectOption("bob");
    await page.getByRole("link", { name: "Curfew" }).click();
    await page.getByText("Nothing waits for your approval.").waitFor();
    await page.getByRole("combobox", { name: "More…" }).click();
    await page.getByRole("option", { name: "Disable user" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByRole("combobox", { name: "Message Curfew" }).waitFor();
  });

  test("offers a newcomer lines to try, which work for whoever is at the page, until they are dismissed", async () => {
    const { page } = opened();
    const tries = page.getByRole("region", { name: "Lines to try" });
    const here = page.getByRole("log", { name: "Messages in #ops" });
    await tries.getByRole("button", { name: "keep staging up" }).click();
    await here.getByText("@alice is keeping staging running").waitFor();
    await page.getByLabel("Act as").selectOption("bob");
    await tries.getByRole("button", { name: "find alice" }).click();
    await here.getByText("alice@example.com").waitFor();
    await page.getByLabel("Act as").selectOption("gina");
    await tries.getByText("Act as somebody else").waitFor();
    await tries.getByRole("button", { name: "Dismiss" }).click();
    await page.getByLabel("Act as").selectOption("carol");
    await here.getByText("@alice is keeping staging running").waitFor();
    expect(await tries.count()).toBe(0);
  });

  test("offers the clock and the faults in the panel and shows their effect", async () => {
    const { page } = opened();
    const panel = page.getByRole("complementary", { name: "Behind the scenes" });
    await panel.getByRole("tab", { name: "Time and faults" }).click();
    await panel.getByRole("radio", { name: /^Down: connections are refused/ }).check();
    await expect.poll(() => sandbox().curfew.service.faults.isDown).toBe(true);
    await sandbox().act("alice", { kind: "type", text: "/curfew exclude i-0a1 for 2h", where: "ops" });
    await page.getByText("nothing was changed").waitFor();
    await panel.getByRole("group", { name: "The service" }).getByRole("radio", { name: "Works" }).check();
    await panel.getByRole("button", { name: "+ 1 day" }).click();
    await panel.getByText("ahead of real time").waitFor();
    await panel.getByRole("tab", { name: "Time and faults" }).press("ArrowRight");
    const story = panel.getByRole("listitem").filter({ hasText: "alice typed “/curfew exclude i-0a1 for 2h” in #ops" });
    await story.getByText("private answer").first().waitFor();
    await story.getByText("Database").first().waitFor();
    // Also at the weekend one action stops it within a day.
    await panel
      .getByText(/^Stop staging at /)
      .first()
      .waitFor();
    await panel.getByRole("tab", { name: "Activity" }).press("ArrowRight");
    const { baseUrl, apiKey } = sandbox().curfew.service;
    await panel.getByText(`curl -H "Authorization: AccessKey ${apiKey}" ${baseUrl}/api/Actions`).waitFor();
    await panel.getByLabel("Show").selectOption({ index: 2 });
    await panel.getByRole("list", { name: "Users" }).getByText("bob@example.com", { exact: true }).waitFor();
  });

  test("keeps messages whole and its buttons alive while the clock moves on and messages change", async () => {
    const { page } = opened();
    const say = (who: string, line: string) =>
      sandbox().act(who, { kind: "type", text: `/curfew ${line}`, where: "ops" });
    for (const name of ["one", "two", "three"]) await say("alice", `exclude i-0a1 for 2h --another --name ${name}`);
    await say("alice", "keep i-0a3 up every day 18:00-22:00 for 2 weeks");
    await say("alice", "warn me 1h before staging stops");
    await say("carol", "keep staging up for 4 days");
    const panel = page.getByRole("complementary", { name: "Behind the scenes" });
    const onward = panel.getByRole("button", { name: "+ 6 hours" });
    await panel.getByRole("tab", { name: "Time and faults" }).click();
    for (const _ of Array.from({ length: 3 })) {
      await Promise.all([page.waitForResponse("**/api/panel"), onward.click()]);
    }
    const shown = () => page.getByRole("log", { name: "Messages in #ops" }).getByRole("article").allInnerTexts();
    const before = await shown();
    await page.reload();
    await page
      .getByRole("article")
      .nth(before.length - 1)
      .waitFor();
    expect(before).toEqual(await shown());
  });

  test("has a name for every control, in light and in dark", async () => {
    const { page } = opened();
    await sandbox().act("alice", { kind: "type", text: "/curfew exclude i-0a1 for 2h", where: "ops" });
    await page.getByText("@alice is keeping i-0a1 running").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    for (const role of ["button", "combobox", "textbox", "link", "tab", "radio", "checkbox"] as const) {
      expect([role, await page.getByRole(role, { name: /^$/ }).count()]).toEqual([role, 0]);
    }
    for (const role of ["banner", "navigation", "main"] as const) expect(await page.getByRole(role).count()).toBe(1);
    expect(await page.getByRole("heading", { level: 1 }).allInnerTexts()).toEqual(["#ops"]);
  });

  test("keeps the second of two quick choices while the first is on its way", async () => {
    const { page } = opened();
    await page.goto(`${sandbox().url}/#carol/ops`);
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("/curfew action show");
    await line.press("Enter");
    const extras = page.getByRole("dialog").getByRole("group", { name: /^Include/ });
    const tick = (extra: string) => extras.getByLabel(extra, { exact: true });
    await tick("displayData").waitFor();
    const held: (() => void)[] = [];
    await page.route("**/api/act", async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Network.enable");
    const viewsReceived = new Promise<void>((resolve) =>
      devTools.on("Network.eventSourceMessageReceived", ({ eventName, data }) => {
        if (eventName === "part" && "view" in JSON.parse(data)) resolve();
      }),
    );
    await tick("displayData").check();
    await tick("parameters").check();
    held[0]?.();
    await expect.poll(() => held.length).toBe(2);
    await viewsReceived;
    // It has been drawn by the frame after the next.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    expect([await tick("displayData").isChecked(), await tick("parameters").isChecked()]).toEqual([true, true]);
    held[1]?.();
    await page.unrouteAll({ behavior: "wait" });
    expect([await tick("displayData").isChecked(), await tick("parameters").isChecked()]).toEqual([true, true]);
  });

  test("fits a phone screen with every control reachable", async () => {
    await reopen({ viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true });
    const { page } = opened();
    const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
    const heightOf = async (locator: Locator) => (await locator.boundingBox())?.height ?? Number.NaN;
    const messages = page.getByRole("log", { name: "Messages in #ops" });
    expect(await heightOf(messages)).toBeGreaterThan(350);
    await page.getByRole("combobox", { name: "Message #ops" }).fill("/curfew exclude i-0a1 i-0a2 for 2h");
    await page.getByRole("button", { name: "Send" }).tap();
    await page.getByText("@alice is keeping staging running").waitFor();
    expect(await width()).toBe(360);
    await page.getByRole("button", { name: "Extend…" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).tap();
    await page.getByRole("button", { name: "Behind the scenes" }).tap();
    await page.getByRole("tab", { name: "Service" }).tap();
    expect(await width()).toBe(360);
    expect(await heightOf(messages)).toBeGreaterThan(150);
    await page.getByRole("button", { name: "Close the panel" }).tap();
    await page.getByRole("button", { name: "Conversations" }).tap();
    await page.getByRole("link", { name: "random" }).tap();
    await page.getByText("Curfew is not in this channel").waitFor();
    expect(await page.getByRole("link", { name: "random" }).isVisible()).toBe(false);
  });

  test("fills in, validates, searches and submits the exclusion form", async () => {
    const { page } = opened();
    await page.getByRole("combobox", { name: "Message #ops" }).fill("/curfew exclude");
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Keep running" });
    await form.getByRole("button", { name: "Keep running" }).click();
    await form.getByText("Please complete this required field.").waitFor();
    await form.getByLabel("What").fill("i-0a2");
    await form.getByText("1 EC2 instance in Development").waitFor();
    await form.getByRole("button", { name: "More…" }).click();
    await form.getByLabel("Resource type").fill("ec2");
    await form.getByRole("option", { name: "amazon-ec2-instance" }).click();
    await form.getByRole("combobox", { name: "Project" }).fill("dev");
    await form.getByRole("option", { name: "Development (p-dev)" }).click();
    await form.getByRole("radio", { name: "Leave alone" }).check();
    await form.getByRole("button", { name: "Leave alone" }).click();
    await page.getByText("@alice is leaving i-0a2 alone").waitFor();
    expect(await form.isVisible()).toBe(false);
    expect([...sandbox().curfew.service.account.exclusions.values()]).toContainEqual(
      expect.objectContaining({ resourceIds: ["i-0a2"], processes: ["start-resource", "stop-resource"] }),
    );
  });
});
