import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../support/browser.ts";
import { eachOnItsOwn } from "./each-on-its-own.ts";
import { startPage } from "./start-page.ts";

const maxTabs = 80;

await describeInBrowser("with the keyboard alone", (browser) => {
  const { sandbox, opened } = eachOnItsOwn(browser, startPage);

  const hasFocus = async (target: Locator): Promise<boolean> =>
    (await target.and(opened().page.locator(":focus")).count()) > 0;
  /** Presses Tab, or Shift+Tab, until the target has the focus. */
  const tabTo = async (target: Locator, key: "Tab" | "Shift+Tab" = "Tab") => {
    await target.waitFor();
    for (let pressed = 0; !(await hasFocus(target)); pressed += 1) {
      if (pressed === maxTabs) throw new Error(`${target} has no focus after ${maxTabs} presses of ${key}.`);
      await opened().page.keyboard.press(key);
    }
  };
  const line = () => opened().page.getByRole("combobox", { name: "Message #ops" });

  test("a person submits a form and presses and confirms its card's button", async () => {
    const { page } = opened();
    const { keyboard } = page;
    await tabTo(line());
    await keyboard.type("/curfew exclude");
    await keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Keep running" });
    await tabTo(form.getByLabel("What"));
    await keyboard.type("i-0a2");
    await form.getByText("1 EC2 instance in Development").waitFor();
    await tabTo(form.getByRole("button", { name: "More…" }));
    await keyboard.press("Enter");
    await tabTo(form.getByRole("combobox", { name: "Resource type" }));
    await keyboard.type("ec2");
    await form.getByRole("option", { name: "amazon-ec2-instance" }).waitFor();
    await keyboard.press("Enter");
    await tabTo(form.getByRole("combobox", { name: "Project" }));
    await keyboard.press("ArrowDown");
    await form.getByRole("option", { name: "Development (p-dev)" }).waitFor();
    await keyboard.type("dev");
    await keyboard.press("Enter");
    await tabTo(form.getByRole("radio", { name: "Keep running" }));
    await keyboard.press("ArrowUp");
    expect(await form.getByRole("radio", { name: "Leave alone" }).isChecked()).toBe(true);
    await tabTo(form.getByRole("button", { name: "Leave alone" }));
    await keyboard.press("Enter");
    await page.getByRole("article").filter({ hasText: "@alice is leaving i-0a2 alone" }).waitFor();
    await expect.poll(() => hasFocus(line())).toBe(true);

    const answer = page.getByRole("article").filter({ hasText: "Done." });
    await tabTo(answer.getByRole("button", { name: "Undo" }), "Shift+Tab");
    await keyboard.press("Space");
    await page.getByText("@alice ended it").first().waitFor();
  });

  test("a person extends an exclusion on its card and chooses from the card's menu", async () => {
    const { page } = opened();
    const { keyboard } = page;
    await sandbox().act("alice", { kind: "type", text: "/curfew exclude i-0a1 for 2h", where: "ops" });
    const card = page.getByRole("article").filter({ hasText: "@alice is keeping i-0a1 running" });
    const choices = card.getByRole("button", { name: "More choices" });
    await tabTo(line());
    const extend = card.getByRole("button", { name: "Extend 1 h" });
    await tabTo(extend, "Shift+Tab");
    await keyboard.press("Enter");
    await card.getByText("extended by @alice").waitFor();
    expect(await hasFocus(extend)).toBe(true);
    await tabTo(choices);
    await keyboard.press("Enter");
    await sandbox().act("carol", { kind: "type", text: "/curfew extend i-0a1 1h", where: "ops" });
    await card.getByText("extended by @carol").waitFor();
    // Past Details and Shorten….
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Edit what is kept" });
    await form.getByLabel("Name", { exact: true }).waitFor();
    await keyboard.press("Escape");
    await form.waitFor({ state: "hidden" });
    await expect.poll(() => hasFocus(choices)).toBe(true);
    await keyboard.press("Space");
    await page.getByRole("menuitem", { name: "Details" }).waitFor();
    await keyboard.press("Enter");
    await page.getByRole("article").filter({ hasText: "Only visible to you" }).getByText("chg-").first().waitFor();
    expect(await hasFocus(choices)).toBe(true);
  });

  test("Escape closes one thing at a time: the list, the confirmation, the form, the menu", async () => {
    const { page } = opened();
    const { keyboard } = page;
    await sandbox().act("alice", { kind: "type", text: "/curfew exclude i-0a1 for 2h", where: "ops" });
    const card = page.getByRole("article").filter({ hasText: "@alice is keeping i-0a1 running" });
    await tabTo(line());
    await keyboard.type("/curfew exclude");
    await keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Keep running" });
    await tabTo(form.getByRole("button", { name: "More…" }));
    await keyboard.press("Enter");
    await tabTo(form.getByRole("combobox", { name: "Project" }));
    await keyboard.press("ArrowDown");
    await form.getByRole("listbox").waitFor();
    await keyboard.press("Escape");
    expect([await form.getByRole("listbox").count(), await form.count()]).toEqual([0, 1]);
    await keyboard.press("Escape");
    await form.waitFor({ state: "hidden" });

    await tabTo(card.getByRole("button", { name: "More actions" }), "Shift+Tab");
    await keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Keep these running" }).waitFor();
    await keyboard.press("Escape");
    await expect.poll(() => hasFocus(card.getByRole("button", { name: "More actions" }))).toBe(true);
    await tabTo(card.getByRole("button", { name: "End now" }), "Shift+Tab");
    await keyboard.press("Enter");
    await page.getByRole("dialog", { name: "End now?" }).waitFor();
    await keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(sandbox().curfew.service.account.exclusions.size).toBe(4);
  });

  test("a person reaches another person, another place and another panel tab", async () => {
    const { page } = opened();
    const { keyboard } = page;
    await tabTo(page.getByLabel("Act as"));
    await keyboard.press("ArrowDown");
    await page.getByRole("link", { name: "security" }).waitFor();
    await tabTo(page.getByRole("link", { name: "security" }));
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "#security" }).waitFor();
    await tabTo(page.getByRole("tab", { name: "Activity" }));
    await keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Service", selected: true }).waitFor();
  });
});
