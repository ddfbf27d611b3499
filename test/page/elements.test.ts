import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { type JsonObject, objectAt } from "../../src/sandbox/workspace/json-object.ts";
import { callSlack } from "../sandbox/workspace/call-slack.ts";
import { describeInBrowser } from "../support/browser.ts";
import { eachOnItsOwn } from "./each-on-its-own.ts";
import { everyInput, input, modal, option, plain } from "./every-element.ts";
import { startRecordingPage } from "./start-page.ts";

await describeInBrowser("every element", (browser) => {
  const { sandbox, opened, reopen } = eachOnItsOwn(browser, startRecordingPage);

  const openModal = async (view: JsonObject): Promise<Locator> => {
    const { app } = sandbox();
    app.reply({});
    await opened().page.getByRole("combobox", { name: "Message #ops" }).fill("/tiny");
    await opened().page.keyboard.press("Escape");
    await opened().page.keyboard.press("Enter");
    await expect.poll(() => app.last().trigger_id).toBeDefined();
    const answer = await callSlack(app.workspace, "views.open", { trigger_id: app.last().trigger_id, view });
    expect(answer).toMatchObject({ ok: true });
    const form = opened().page.getByRole("dialog", { name: "Everything" });
    await form.waitFor();
    return form;
  };
  const choose = async (form: Locator, label: string, typed: string, name: string): Promise<void> => {
    const field = form.getByRole("combobox", { name: label, exact: true });
    await field.click();
    await field.fill(typed);
    await form.getByRole("option", { name, exact: true }).click();
  };
  const received = (type: string): JsonObject => {
    const found = sandbox().app.received.findLast(({ payload }) => payload.type === type);
    return found?.payload ?? {};
  };

  test("is filled in and submitted like in Slack", async () => {
    const form = await openModal(modal(everyInput));
    await form.getByLabel("Text").fill("hi");
    await form.getByLabel("Lines").fill("one\ntwo");
    await form.getByLabel("Mail").fill("a@b.example");
    await form.getByLabel("Count").fill("42");
    await choose(form, "Colour", "gre", "Green");
    sandbox().app.reply({ json: { options: [option("London"), option("Londonderry")] } });
    await choose(form, "City", "lond", "Londonderry");
    await choose(form, "Cities", "", "London");
    sandbox().app.reply({});
    await choose(form, "Who", "bob", "Bob Helpdesk");
    await form.getByRole("checkbox", { name: "Really" }).check();
    await form.getByRole("radio", { name: "Blue" }).check();
    await form.getByLabel("Hour: time, Asia/Tokyo").fill("09:30");
    await form.getByLabel("Moment: day").fill("2026-12-24");
    await form.getByLabel("Moment: time").fill("18:15");
    await form.getByRole("button", { name: "Send" }).click();
    await form.waitFor({ state: "hidden" });
    expect(objectAt(objectAt(received("view_submission").view).state).values).toMatchObject({
      text: { value: { value: "hi" } },
      lines: { value: { value: "one\ntwo" } },
      mail: { value: { value: "a@b.example" } },
      count: { value: { value: "42" } },
      colour: { value: { selected_option: { value: "green" } } },
      city: { value: { selected_option: { value: "londonderry" } } },
      cities: { value: { selected_options: [{ value: "london" }] } },
      who: { value: { selected_user: "U02BOB" } },
      agree: { value: { selected_options: [{ value: "really" }] } },
      one: { value: { selected_option: { value: "blue" } } },
      hour: { value: { selected_time: "09:30", timezone: "Asia/Tokyo" } },
      moment: { value: { selected_date_time: Date.parse("2026-12-24T17:15:00Z") / 1000 } },
    });
  });

  test("shows the app's value, can be cleared, and shows errors", async () => {
    const colour = { type: "static_select", options: [option("Red")], initial_option: option("Red") };
    const form = await openModal(
      modal([
        input("Name", { type: "plain_text_input", initial_value: "Bob" }),
        input("Colour", colour, { optional: true }),
        input("When", { type: "datetimepicker", initial_date_time: Date.parse("2026-06-01T10:00:00Z") / 1000 }),
      ]),
    );
    expect(await form.getByLabel("Name").inputValue()).toBe("Bob");
    expect(await form.getByLabel("When: time").inputValue()).toBe("12:00");
    expect(await form.getByRole("combobox", { name: "Colour" }).inputValue()).toBe("Red");
    await form.getByRole("button", { name: "Clear Colour" }).click();
    sandbox().app.reply({ json: { response_action: "errors", errors: { name: "Taken already." } } });
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByRole("alert").getByText("Taken already.").waitFor();
    expect(await form.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => form.getByLabel("Name").evaluate((field) => field.matches(":focus"))).toBe(true);
    const { values } = objectAt(objectAt(received("view_submission").view).state);
    expect(values).toMatchObject({ colour: { value: { selected_option: null } } });
  });

  test("shows the first error again each time the form is sent with it, from wherever it was scrolled", async () => {
    const names = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];
    const form = await openModal(modal(names.map((name) => input(name, { type: "plain_text_input" }))));
    await opened().page.setViewportSize({ width: 360, height: 480 });
    for (const name of names.slice(1, -1)) await form.getByLabel(name).fill("x");
    const send = form.getByRole("button", { name: "Send" });
    const body = form.locator(".view-body");
    for (const _ of ["once", "twice"]) {
      await body.evaluate((each) => each.scrollTo(0, each.scrollHeight));
      await form.getByLabel("Eighth").fill("");
      await send.click();
      const [error, frame] = [form.getByRole("alert").first(), await body.boundingBox()];
      await expect.poll(() => form.getByLabel("First").evaluate((field) => field.matches(":focus"))).toBe(true);
      const box = await error.boundingBox();
      if (box === null || frame === null) throw new Error("The error is not visible.");
      expect(box.y).toBeGreaterThanOrEqual(frame.y);
      expect(box.y + box.height).toBeLessThanOrEqual(frame.y + frame.height);
    }
    // Typing elsewhere keeps the focus there.
    await form.getByLabel("Eighth").pressSequentially("typed");
    await expect
      .poll(() => sandbox().sandbox.workspace.as("alice").openView()?.state)
      .toMatchObject({
        eighth: { value: { value: "typed" } },
      });
    expect(await form.getByLabel("Eighth").inputValue()).toBe("typed");
  });

  test("drops typed text that was not chosen, and sends nothing that was not seen", async () => {
    const colours = [option("Red"), option("Green")];
    const form = await openModal(
      modal([
        input("Colour", { type: "static_select", options: colours, initial_option: option("Red") }),
        input("Other", { type: "static_select", options: colours }, { optional: true }),
        input("Cities", { type: "multi_external_select", min_query_length: 0, max_selected_items: 1 }),
      ]),
    );
    const field = (name: string) => form.getByRole("combobox", { name });
    sandbox().app.reply({ json: { options: [option("London")] } });
    await choose(form, "Cities", "", "London");
    sandbox().app.reply({});
    for (const [name, shown] of [
      ["Other", ""],
      ["Cities", ""],
      ["Colour", "Red"],
    ] as const) {
      await field(name).click();
      await field(name).pressSequentially("zzz");
      expect(await field(name).inputValue()).toBe("zzz");
      await field(name).press("Tab");
      expect([name, await field(name).inputValue()]).toEqual([name, shown]);
    }
    await field("Colour").fill("zzz");
    await form.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => field("Colour").evaluate((each) => each.matches(":focus"))).toBe(true);
    expect([await field("Colour").inputValue(), received("view_submission")]).toEqual(["Red", {}]);
    await form.getByRole("button", { name: "Send" }).click();
    await form.waitFor({ state: "hidden" });
    expect(objectAt(objectAt(received("view_submission").view).state).values).toMatchObject({
      colour: { value: { selected_option: { value: "red" } } },
      other: { value: { selected_option: null } },
    });
  });

  test("notifies the app immediately where the block requests it, with the other values", async () => {
    const colours = { type: "static_select", options: [option("Red"), option("Green")] };
    const form = await openModal(
      modal([input("Name", { type: "plain_text_input" }), input("Colour", colours, { dispatch_action: true })]),
    );
    await form.getByLabel("Name").fill("typed");
    await choose(form, "Colour", "green", "Green");
    await expect.poll(() => received("block_actions").actions).toMatchObject([{ selected_option: { value: "green" } }]);
    expect(received("block_actions").view).toMatchObject({
      state: { values: { name: { value: { value: "typed" } } } },
    });
  });

  test("has the focus when the form opens, and gives it back to the line when it is closed", async () => {
    const form = await openModal(modal([input("Name", { type: "plain_text_input" })]));
    await opened().page.keyboard.type("typed");
    expect(await form.getByLabel("Name").inputValue()).toBe("typed");
    await opened().page.keyboard.press("Escape");
    await form.waitFor({ state: "hidden" });
    await expect
      .poll(() =>
        opened()
          .page.getByRole("combobox", { name: "Message #ops" })
          .evaluate((line) => line.matches(":focus")),
      )
      .toBe(true);
  });

  test("in a message shows confirmations, opens its menu by keyboard and sends the choice", async () => {
    const confirm = { title: plain("Sure?"), text: plain("Really?"), confirm: plain("Yes"), deny: plain("No") };
    const button = { type: "button", action_id: "end", text: plain("End now"), value: "1", confirm };
    const menu = { type: "overflow", action_id: "menu", options: [option("Edit…"), option("Copy")] };
    const select = { type: "static_select", action_id: "pick", placeholder: plain("Pick"), options: [option("Red")] };
    const blocks = [{ type: "actions", elements: [button, menu, select] }];
    await callSlack(sandbox().app.workspace, "chat.postMessage", { channel: "C0OPS", text: "x", blocks });
    const { page } = opened();
    await page.getByRole("button", { name: "End now", exact: true }).click();
    await page.getByRole("dialog", { name: "Sure?" }).getByRole("button", { name: "No" }).click();
    await page.getByRole("button", { name: "End now", exact: true }).click();
    expect(sandbox().app.received).toHaveLength(0);
    await page.getByRole("dialog", { name: "Sure?" }).getByRole("button", { name: "Yes" }).click();
    await expect.poll(() => received("block_actions").actions).toMatchObject([{ action_id: "end", value: "1" }]);
    await page.getByRole("button", { name: "More choices" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => received("block_actions").actions).toMatchObject([{ selected_option: { value: "copy" } }]);
    await page.getByRole("combobox", { name: "Pick" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => received("block_actions").actions)
      .toMatchObject([{ action_id: "pick", selected_option: { value: "red" } }]);
  });

  test("of a list on a phone leaves its text as much width beside a menu as above a button", async () => {
    await reopen({ viewport: { width: 360, height: 640 } });
    const menu = { type: "overflow", action_id: "menu", options: [option("Edit…"), option("Copy")] };
    const button = { type: "button", action_id: "keep", text: plain("Keep running"), value: "1" };
    const blocks = [menu, button].map((accessory) => ({
      type: "section",
      text: { type: "mrkdwn", text: "*Stop staging at 19:00* · Friday · staging · in Development" },
      accessory,
    }));
    await callSlack(sandbox().app.workspace, "chat.postMessage", { channel: "C0OPS", text: "x", blocks });
    const [beside, above] = await Promise.all(
      [0, 1].map((row) => opened().page.locator(".section-text > p").nth(row).boundingBox()),
    );
    expect(beside?.width).toBeGreaterThan(100);
    expect(above?.width).toBe(beside?.width);
  });

  test("in any message stays text and never becomes part of the page", async () => {
    const { page } = opened();
    const hostile =
      '<img src=x onerror="document.title=1"> &lt;script&gt;document.title=2&lt;/script&gt; <javascript:x|y>';
    await callSlack(sandbox().app.workspace, "chat.postMessage", { channel: "C0OPS", text: hostile });
    const shown = page.getByRole("article").last();
    await shown.getByText('<img src=x onerror="document.title=1"> <script>document.title=2</script>').waitFor();
    expect(await page.title()).toBe("Curfew sandbox");
    expect(await shown.locator("img, script, a").count()).toBe(0);
  });

  test("in a message is whole after every change of the message", async () => {
    const { page } = opened();
    const { workspace } = sandbox().app;
    const texts = [
      "<!date^1800000000^{date_num}^then>: stop *staging* · :lock: kept by <@U02BOB>, <https://a.example|a link>",
      ":white_circle: <!date^1800000000^{date_num}^then>: stop · *staging* was kept by <@U01ALICE>",
      "plain",
      ":unknown: *bold _and <@U02BOB>_* <mailto:a@b.example|mail> `code <#C0OPS>`\n>quoted <@U02BOB>\nafter",
      ":lock: *staging* and <@U02BOB> and ~gone~ :x: :unknown:",
    ];
    const order = texts.flatMap((one) => texts.flatMap((other) => [one, other]));
    const send = async (method: string, text: string, more: object) =>
      objectAt(await callSlack(workspace, method, { channel: "C0OPS", text, ...more }));
    const { ts } = await send("chat.postMessage", "first", {});
    const shown = page.getByRole("article").first();
    for (const text of order) {
      await send("chat.update", text, { ts });
      // The same text as a new message has nothing to be changed from.
      const fresh = await send("chat.postMessage", text, {});
      const last = page.getByRole("article").nth(1);
      await last.waitFor();
      expect(await shown.locator(".blocks").innerText()).toBe(await last.locator(".blocks").innerText());
      await callSlack(workspace, "chat.delete", { channel: "C0OPS", ts: fresh.ts });
      await last.waitFor({ state: "detached" });
    }
  });

  test("runs shortcuts from their menu, and message shortcuts with the message", async () => {
    const { page } = opened();
    await sandbox().act("bob", { kind: "type", text: "look at i-0a1", where: "ops" });
    await page.getByText("look at i-0a1").hover();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Keep · Tiny" }).click();
    await expect.poll(() => received("message_action").message).toMatchObject({ text: "look at i-0a1" });
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await page.getByRole("menuitem", { name: "New thing · Tiny" }).click();
    await expect.poll(() => received("shortcut")).toMatchObject({ callback_id: "new_thing" });
  });

  test("opens a thread, replies in it and counts the replies", async () => {
    const { page } = opened();
    await sandbox().act("bob", { kind: "type", text: "who stops it?", where: "ops" });
    await page.getByText("who stops it?").hover();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Reply in thread" }).click();
    const thread = page.getByRole("complementary", { name: "Thread" });
    await thread.getByRole("combobox", { name: "Reply" }).fill("I do");
    await page.keyboard.press("Enter");
    await thread.getByRole("article").getByText("I do").waitFor();
    await thread.getByRole("combobox", { name: "Reply" }).fill("/tiny");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("do not work in threads").waitFor();
    await page.getByRole("button", { name: "Dismiss", exact: true }).click();
    await thread.getByRole("button", { name: "Close the thread" }).click();
    const [parent, reply] = sandbox().sandbox.workspace.as("bob").messages("ops");
    const channel = parent?.channelId ?? "";
    const { apiUrl, botToken } = sandbox().sandbox.workspace;
    // A private message in the thread does not count.
    await fetch(`${apiUrl}chat.postEphemeral`, {
      method: "POST",
      headers: { authorization: `Bearer ${botToken}` },
      body: new URLSearchParams({ channel, user: "U01ALICE", text: "psst", thread_ts: reply?.threadTs ?? "" }),
    });
    await sandbox().act("bob", { kind: "type", text: "later", where: "ops" });
    await page.getByText("later").waitFor();
    await page.getByRole("button", { name: "1 reply" }).waitFor();
  });
});
