import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ShownMessage } from "../../src/sandbox/page/wire.ts";
import { formFields, pressables } from "../../src/sandbox/workspace/form-fields.ts";
import { messageToText } from "../../src/sandbox/workspace/message-to-text.ts";
import { type RunningPage, startPage } from "./start-page.ts";
import { type WatchedPage, watchPage } from "./watch-page.ts";

let sandbox: RunningPage;
let watched: WatchedPage[] = [];
beforeEach(async () => {
  sandbox = await startPage();
});
afterEach(async () => {
  for (const each of watched) await each.close();
  watched = [];
  await sandbox.stop();
});

const watch = async (as: string): Promise<WatchedPage> => {
  const page = await watchPage(sandbox.url, as);
  watched.push(page);
  await page.until(() => page.parts.switches !== undefined);
  return page;
};
/** As it reads with the names and the zone that this viewer got. */
const textOf = ({ parts }: WatchedPage, message: ShownMessage): string =>
  messageToText(message, {
    nameOf: (id) => parts.names?.[id] ?? id,
    zone: parts.viewer?.zone ?? "UTC",
    now: sandbox.sandbox.clock.now(),
  });
const messagesIn = (page: WatchedPage, where: string): readonly ShownMessage[] =>
  page.conversations[where]?.messages ?? [];
/** The messages visible to everyone in #ops. */
const card = (page: WatchedPage): string =>
  messagesIn(page, "ops")
    .filter(({ isOnlyForYou }) => !isOnlyForYou)
    .map((message) => textOf(page, message))
    .join();
const type = (as: string, text: string, where = "ops") => sandbox.act(as, { kind: "type", text, where });

describe("the server", () => {
  test("never sends one person's answer to another", async () => {
    const [alice, bob] = [await watch("alice"), await watch("bob")];
    await type("alice", '/curfew exclude i-0a1 for 2h --name "quiet" --reason "demo"');
    await alice.until(() => messagesIn(alice, "ops").some(({ isOnlyForYou }) => isOnlyForYou));
    await bob.until(() => messagesIn(bob, "ops").length === 1);
    await sandbox.curfew.app.idle();
    expect(
      messagesIn(alice, "ops")
        .map(({ isOnlyForYou }) => isOnlyForYou)
        .sort(),
    ).toEqual([false, true]);
    expect(bob.received).toContain(" is keeping ");
    expect(bob.received).not.toContain("Keeping ");
  });

  test("sends a form and its values only to its person", async () => {
    const [alice, bob] = [await watch("alice"), await watch("bob")];
    await type("alice", "/curfew exclude");
    await alice.until(() => alice.parts.view?.title === "Keep running");
    const fields = formFields(alice.parts.view?.blocks ?? []);
    const field = fields.find(({ element }) => element.type === "plain_text_input");
    if (field === undefined) throw new Error("The form has no text input.");
    const { blockId, actionId } = field;
    await sandbox.act("alice", { kind: "set", on: "view", blockId, actionId, value: "i-secret-plan" });
    await alice.until(() => alice.received.includes("i-secret-plan"));
    await type("alice", "hello everybody");
    await bob.until(() => bob.received.includes("hello everybody"));
    expect(bob.parts.view).toBeNull();
    expect(bob.received).not.toContain("i-secret-plan");
  });

  test("sends direct messages and private channels only to their members", async () => {
    const [bob, dave] = [await watch("bob"), await watch("dave")];
    await type("bob", "for carol alone", "@carol");
    await type("carol", "for the security channel", "security");
    await bob.until(
      () => bob.received.includes("for carol alone") && bob.received.includes("for the security channel"),
    );
    await type("alice", "and now in ops");
    await dave.until(() => dave.received.includes("and now in ops"));
    expect(dave.received).not.toContain("for carol alone");
    expect(dave.received).not.toContain("for the security channel");
    expect(dave.parts.places?.map(({ where }) => where)).not.toContain("security");
    expect(bob.parts.places?.map(({ where }) => where)).toContain("security");
  });

  test("hides the name of a private channel from people who are not in it", async () => {
    const [bob, dave] = [await watch("bob"), await watch("dave")];
    await type("carol", "see #security and #random");
    await dave.until(() => card(dave) !== "");
    await bob.until(() => card(bob) !== "");
    expect(card(bob)).toContain("see #security and #random");
    expect(card(dave)).toContain("see #private-channel and #random");
  });

  test("tells in everyone's panel what was typed to Curfew, but not what only that person got to read", async () => {
    const [bob, dave] = [await watch("bob"), await watch("dave")];
    await type("alice", "/curfew whoami --reason hush");
    await type("carol", "/curfew help #security", "security");
    const typed = (page: WatchedPage) =>
      page.parts.activity?.flatMap(({ kind, text }) => (kind === "person" ? text : []));
    await dave.until(() => typed(dave)?.length === 2 && dave.parts.activity?.at(-1)?.kind === "slack");
    await bob.until(() => typed(bob)?.length === 2);
    expect(typed(bob)).toEqual([
      "alice typed “/curfew whoami --reason hush” in #ops",
      "carol typed “/curfew help #security” in #security",
    ]);
    expect(typed(dave)?.at(-1)).toBe("carol typed “/curfew help #private-channel” in #private-channel");
    expect(dave.parts.activity?.at(-1)?.text).toBe("private answer");
    expect(dave.received).not.toContain("engineers:");
  });
});

describe("a viewer", () => {
  test("sees times in their zone, names instead of ids, and mentions", async () => {
    const [alice, dave] = [await watch("alice"), await watch("dave")];
    await type("alice", "/curfew exclude i-0a1 for 2h");
    await dave.until(() => card(dave) !== "");
    await alice.until(() => card(alice) !== "");
    expect(card(dave)).toMatch(/today|tomorrow/);
    expect(card(dave)).not.toBe(card(alice));
    expect(card(dave)).toContain("@alice is keeping *i-0a1* running");
    expect(messagesIn(dave, "ops")[0]).toMatchObject({ from: "Curfew", fromKind: "app" });
  });

  test("gets an updated card again, but nothing that did not change", async () => {
    const bob = await watch("bob");
    await type("alice", "/curfew exclude i-0a1 for 2h");
    await bob.until(() => messagesIn(bob, "ops").length === 1);
    const [message] = messagesIn(bob, "ops");
    const end = pressables(message?.blocks ?? []).find(({ text }) => text === "End now");
    if (message === undefined || end === undefined) throw new Error("The card has no button End.");
    expect(end.element.confirm).toMatchObject({ title: { text: "End now?" }, deny: { text: "Cancel" } });
    const { channelId, ts } = message;
    const { blockId, actionId } = end;
    await sandbox.act("alice", { kind: "press", on: { channelId, ts }, blockId, actionId });
    await bob.until(() => messagesIn(bob, "ops")[0]?.isEdited === true);
    expect(card(bob)).not.toContain("[ End now ]");
    expect(bob.received.match(/^data: \{"people":/gm)).toHaveLength(1);
  });

  test("can be a guest, external or without a role, but not a bot or deactivated", async () => {
    const { parts } = await watch("gina");
    const people = new Map(parts.people?.map(({ handle, remarks }) => [handle, remarks]));
    expect(people.get("gina")).toEqual(["guest"]);
    expect(people.get("erin")).toEqual(["from another organization"]);
    expect(people.get("alice")).toEqual(["@engineers"]);
    expect(people.get("dave")).toEqual([]);
    expect([people.has("robot"), people.has("fred")]).toEqual([false, false]);
    await expect(watchPage(sandbox.url, "zed")).rejects.toThrow("400");
    await expect(watchPage(sandbox.url, "fred")).rejects.toThrow("400");
  });

  test("sees the Home tab once it is opened", async () => {
    const alice = await watch("alice");
    expect(alice.parts.home).toBeNull();
    await sandbox.act("alice", { kind: "home" });
    await alice.until(() => JSON.stringify(alice.parts.home).includes("Next 24 hours"));
  });
});
