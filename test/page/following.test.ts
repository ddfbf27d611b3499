import { expect, test } from "vitest";
import { servePage } from "../../src/sandbox/page/create-page.ts";
import { describeInBrowser } from "../support/browser.ts";
import { builtPage } from "../support/built.ts";
import { eachOnItsOwn } from "./each-on-its-own.ts";
import { startPage } from "./start-page.ts";

await describeInBrowser("the latest message", (browser) => {
  const { sandbox, opened } = eachOnItsOwn(browser, startPage);

  const list = () => opened().page.getByRole("log", { name: "Messages in #ops" });
  const newer = () => opened().page.getByRole("button", { name: "New messages" });
  /** The distance in pixels from the visible part to the end of the list. */
  const distanceToEnd = () =>
    list().evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  const expectEnd = () => expect.poll(distanceToEnd).toBeLessThan(2);
  const say = (who: string, text: string) => sandbox().act(who, { kind: "type", text, where: "ops" });
  const fillUp = async () => {
    for (const length of [1, 2, 3, 4]) {
      await say("alice", `/curfew exclude i-0a${length} for ${length}h --reason "number ${length}"`);
      await list().getByText(`number ${length}`).last().waitFor();
    }
    await list().getByRole("button", { name: "Extend…" }).nth(3).waitFor();
  };
  const goUp = async () => {
    await opened().page.setViewportSize({ width: 1280, height: 600 });
    await list().evaluate((element) => element.scrollTo(0, 0));
    await expect.poll(distanceToEnd).toBeGreaterThan(300);
  };

  test("stays visible for any number of messages and any window size", async () => {
    const { page } = opened();
    await fillUp();
    await expectEnd();
    await Promise.all(["one", "two", "three"].map((text) => say("carol", text.repeat(400))));
    await list().getByText("three").waitFor();
    await expectEnd();
    await page.getByRole("button", { name: "Behind the scenes" }).click();
    await expectEnd();
    await page.getByRole("button", { name: "Dismiss the lines to try" }).click();
    await page.setViewportSize({ width: 640, height: 500 });
    await expectEnd();
    expect(await newer().count()).toBe(0);
  });

  test("does not scroll away from older messages, but offers a link", async () => {
    await fillUp();
    await goUp();
    await say("carol", "hello everyone");
    await newer().waitFor();
    expect(await list().evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await newer().click();
    await expectEnd();
    expect(await newer().count()).toBe(0);
  });

  test("is visible after the viewer sends one", async () => {
    const { page } = opened();
    await fillUp();
    await goUp();
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("/curfew whoami");
    await line.press("Enter");
    await list().getByText("May do here").waitFor();
    await expectEnd();
  });

  test("shows its whole menu", async () => {
    const { page } = opened();
    await fillUp();
    await list().getByRole("button", { name: "More actions" }).last().click();
    const frame = await list().boundingBox();
    const entry = await page.getByRole("menuitem", { name: "Reply in thread" }).boundingBox();
    if (frame === null || entry === null) throw new Error("The list or its menu is not visible.");
    expect(entry.y + entry.height).toBeLessThanOrEqual(frame.y + frame.height);
  });

  test("does not move an open menu, and is one click away", async () => {
    const { page } = opened();
    await fillUp();
    await list().getByRole("button", { name: "More actions" }).last().click();
    const entry = page.getByRole("menuitem", { name: "Reply in thread" });
    const before = await entry.boundingBox();
    await say("carol", "hello everyone");
    await newer().waitFor();
    expect(await entry.boundingBox()).toEqual(before);
    await page.keyboard.press("Escape");
    await newer().click();
    await expectEnd();
  });

  test("stays visible in a thread, which replaces the channel in a narrow window", async () => {
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

await describeInBrowser("a restarted sandbox", (browser) => {
  test("is found again by the open page, which then removes the error", async () => {
    const { sandbox, stop, curfew } = await startPage(builtPage());
    const first = await servePage(sandbox, 0, builtPage());
    const context = await browser.open(first.url);
    const { page } = context;
    const line = page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("hello");
    await first.close();
    const error = page.getByRole("alert").filter({ hasText: "The sandbox is not responding" });
    await error.waitFor();
    await line.press("Enter");
    await expect.poll(() => line.inputValue()).toBe("hello");
    expect(await error.count()).toBe(1);
    const second = await servePage(sandbox, Number(new URL(first.url).port), builtPage());
    await error.waitFor({ state: "detached" });
    await line.press("Enter");
    await page.getByRole("log").getByText("hello").waitFor();
    expect(curfew.workspace.as("carol").messages("ops").at(-1)?.text).toContain("hello");
    // The browser logs the failed requests as errors, which is expected here.
    await context.close().catch(() => undefined);
    await second.close();
    await stop();
  });
});

await describeInBrowser("a direct message", (browser) => {
  test("is announced in every place and stays unseen until it was visible", async () => {
    const sandbox = await startPage(builtPage());
    const { page, close } = await browser.open(sandbox.url);
    const notice = page.getByRole("status").filter({ hasText: "Curfew sent you a message." });
    const refusal = page.getByRole("log", { name: "Messages in Curfew" }).getByText("Nothing was changed").last();
    const runShortcut = async () => {
      await page.getByRole("button", { name: "Shortcuts" }).click();
      await page.getByRole("menuitem", { name: "Keep running" }).click();
      await notice.waitFor();
    };
    // Alice's rights apply only in #ops, and a shortcut runs in no channel.
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
    await page.getByRole("button", { name: "Conversations, new messages" }).click();
    await page.getByRole("link", { name: /^☾? ?Curfew 1 new/ }).click();
    await refusal.waitFor();
    await close();
    await sandbox.stop();
  });
});
