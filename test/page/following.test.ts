import { expect, test } from "vitest";
import { startControl } from "../../src/sandbox/control/start-control.ts";
import { createPage } from "../../src/sandbox/page/create-page.ts";
import { describeInBrowser } from "../support/browser.ts";
import { builtPage } from "../support/built.ts";
import { eachOnItsOwn } from "./each-on-its-own.ts";
import { startPage } from "./start-page.ts";

await describeInBrowser("what is said last", (browser) => {
  const { sandbox, opened } = eachOnItsOwn(browser, startPage);

  const list = () => opened().page.getByRole("log", { name: "Messages in #ops" });
  const newer = () => opened().page.getByRole("button", { name: "New messages" });
  /** How far the end of the list lies below what is in sight, in pixels. */
  const belowSight = () =>
    list().evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  const expectEnd = () => expect.poll(belowSight).toBeLessThan(2);
  const say = (who: string, text: string) => sandbox().act(who, { kind: "type", text, where: "ops" });
  const fillUp = async () => {
    for (const length of [1, 2, 3]) {
      await say("alice", `/curfew exclude i-0a1 for ${length}h --name "number ${length}"`);
      await list().getByText(`number ${length}`).last().waitFor();
    }
    await list().getByRole("button", { name: "Extend" }).nth(2).waitFor();
  };
  const goUp = async () => {
    await list().evaluate((element) => element.scrollTo(0, 0));
    await expect.poll(belowSight).toBeGreaterThan(300);
  };

  test("is in sight, however much comes at once, and whatever becomes of the room for it", async () => {
    const { page } = opened();
    await fillUp();
    await expectEnd();
    await Promise.all(["one", "two", "three"].map((text) => say("carol", text.repeat(400))));
    await list().getByText("three").waitFor();
    await expectEnd();
    await page.getByRole("button", { name: "Behind the scenes" }).click();
    await expectEnd();
    await page.getByRole("button", { name: "Fold" }).click();
    await page.setViewportSize({ width: 640, height: 500 });
    await expectEnd();
    expect(await newer().count()).toBe(0);
  });

  test("does not take away from one who reads above, who is told of it and led there", async () => {
    await fillUp();
    await goUp();
    await say("carol", "hello everyone");
    await newer().waitFor();
    expect(await list().evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await newer().click();
    await expectEnd();
    expect(await newer().count()).toBe(0);
  });

  test("is in sight of whoever said it", async () => {
    const { page } = opened();
    await fillUp();
    await goUp();
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("/curfew whoami");
    await line.press("Enter");
    await list().getByText("May do here").waitFor();
    await expectEnd();
  });

  test("has all of its menu in sight", async () => {
    const { page } = opened();
    await fillUp();
    await list().getByRole("button", { name: "More actions" }).last().click();
    const frame = await list().boundingBox();
    const entry = await page.getByRole("menuitem", { name: "Reply in thread" }).boundingBox();
    if (frame === null || entry === null) throw new Error("Nothing is shown.");
    expect(entry.y + entry.height).toBeLessThanOrEqual(frame.y + frame.height);
  });

  test("is also what one replies in a thread, which takes the channel's place where both have no room", async () => {
    const { page } = opened();
    await say("carol", "hello everyone");
    await list().getByRole("button", { name: "More actions" }).last().click();
    await page.getByRole("menuitem", { name: "Reply in thread" }).click();
    await page.keyboard.press("Tab");
    expect(
      await page.getByRole("button", { name: "Close the thread" }).evaluate((each) => each.matches(":focus")),
    ).toBe(true);
    const reply = page.getByRole("combobox", { name: "Reply" });
    for (const text of ["first", "second", "third", "fourth"]) {
      await reply.fill(`${text} ${"word ".repeat(150)}`);
      await reply.press("Enter");
      await page.getByRole("log", { name: "Replies" }).getByText(text).waitFor();
    }
    const replies = page.getByRole("log", { name: "Replies" });
    const below = () => replies.evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight);
    await expect.poll(below).toBeLessThan(2);
    const widthOf = async () => (await page.getByRole("complementary", { name: "Thread" }).boundingBox())?.width ?? 0;
    const widthOfMain = async () => (await page.getByRole("main").boundingBox())?.width ?? 0;
    expect(await widthOf()).toBe(await widthOfMain());
    await page.getByRole("button", { name: "Behind the scenes" }).click();
    expect(await widthOf()).toBeLessThan((await widthOfMain()) / 2);
  });
});

await describeInBrowser("a sandbox that is started again", (browser) => {
  test("is found again by the open page, which then says no more that it does not answer", async () => {
    const { sandbox, stop, curfew } = await startPage(builtPage());
    const first = await startControl(sandbox, 0, createPage(sandbox, builtPage()));
    const context = await browser.open(first.url);
    const { page } = context;
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("hello");
    await first.close();
    const trouble = page.getByRole("alert").filter({ hasText: "The sandbox does not answer" });
    await trouble.waitFor();
    await line.press("Enter");
    await expect.poll(() => line.inputValue()).toBe("hello");
    expect(await trouble.count()).toBe(1);
    const second = await startControl(sandbox, Number(new URL(first.url).port), createPage(sandbox, builtPage()));
    await trouble.waitFor({ state: "detached" });
    await line.press("Enter");
    await page.getByRole("log").getByText("hello").waitFor();
    expect(curfew.workspace.as("carol").messages("ops").at(-1)?.text).toContain("hello");
    // The browser has complained of what did not answer, as it should.
    await context.close().catch(() => undefined);
    await second.close();
    await stop();
  });
});

await describeInBrowser("what comes to one alone", (browser) => {
  test("is told of wherever one is, and what is new stays so until it was in sight", async () => {
    const sandbox = await startPage(builtPage());
    const { page, close } = await browser.open(sandbox.url);
    const notice = page.getByRole("status").filter({ hasText: "Curfew sent you a message." });
    const refusal = page.getByRole("log", { name: "Messages in Curfew" }).getByText("Nothing was changed").last();
    const runShortcut = async () => {
      await page.getByRole("button", { name: "Shortcuts" }).click();
      await page.getByRole("menuitem", { name: "New exclusion" }).click();
      await notice.waitFor();
    };
    // Alice's rights hold in #ops only, and a shortcut is run nowhere in particular.
    await runShortcut();
    await notice.getByRole("button", { name: "Dismiss the notice" }).click();
    await notice.waitFor({ state: "detached" });
    await runShortcut();
    await page.reload();
    await page.getByRole("link", { name: "Curfew 2 new" }).waitFor();
    expect(await notice.count()).toBe(0);
    await runShortcut();
    await page.goto(`${sandbox.url}/#alice/dm/home`);
    await page.getByRole("link", { name: "Messages 3 new" }).waitFor();
    await notice.getByRole("link", { name: "Read it" }).click();
    await refusal.waitFor();
    await notice.waitFor({ state: "detached" });
    expect(await page.getByRole("link", { name: /new$/ }).count()).toBe(0);
    await page.getByRole("link", { name: "ops" }).click();
    await runShortcut();
    await page.getByRole("button", { name: "Close the panel" }).click();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole("button", { name: "Conversations, something new" }).click();
    await page.getByRole("link", { name: /^☾? ?Curfew 1 new/ }).click();
    await refusal.waitFor();
    await close();
    await sandbox.stop();
  });
});
