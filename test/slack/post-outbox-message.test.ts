import { describe, expect, test } from "vitest";
import type { OutboxMessage } from "../../src/changes/outbox-message.ts";
import { createLogger } from "../../src/observability/log.ts";
import { noticeMessage } from "../../src/slack/messages/notices.ts";
import { createSender } from "../../src/slack/messages/post-outbox-message.ts";
import { createActors } from "../../src/slack/people/actors.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, aSettlement, noon, quietLog, someSettings } from "../changes/build.ts";
import { outboxMessage, startWorker } from "../jobs/start-worker.ts";
import { anActor } from "../permissions/build.ts";
import { nextDueAt } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { createFakeSlack, type SlackAnswer } from "./fake-slack.ts";

const anOutboxMessage = (facts: Partial<OutboxMessage> = {}): OutboxMessage => ({
  id: 1,
  attempts: 0,
  tries: 1,
  changeId: "chg-1",
  kind: "card",
  to: "C1",
  underChangeId: null,
  queuedAt: noon,
  ...facts,
});

const sourcesOf = (store: Store) => ({
  ...{ store, settings: someSettings, actions: async () => undefined },
  threadLink: async () => undefined,
  ...{ actor: async () => anActor(), withEmail: async () => undefined },
});

async function announcerIn(answer: () => SlackAnswer, now = noon) {
  const store = await openTestStore();
  await store.begin(aChange());
  await store.settle("chg-1", aSettlement({ settledAt: noon }));
  const { client, calls } = createFakeSlack(answer);
  const drawReminder = async () => noticeMessage(":alarm_clock:", "soon over");
  return {
    store,
    calls,
    sender: createSender({
      isClosed: async () => true,
      client,
      store,
      drawReminder,
      drawBulletin: async () => undefined,
      withEmail: async () => undefined,
      cardLink: async () => undefined,
      cardSources: sourcesOf(store),
      now: () => now,
    }),
  };
}

test("gives up a thread line, update or reminder without its card", async () => {
  const { sender, calls } = await announcerIn(() => ({ ok: true }));
  for (const kind of ["thread", "update", "reminder"] as const) {
    const result = await sender.send(anOutboxMessage({ kind, underChangeId: "chg-1" }));
    expect(result).toEqual({ kind: "never", error: "no_card" });
  }
  expect(calls).toEqual([]);
});

describe("the notice of a changed account", () => {
  /** Carol's account was changed. `found` is Slack's answer for its e-mail address. */
  async function startScene(found: () => SlackAnswer) {
    const store = await openTestStore();
    const account = { userId: "u-1", username: "carol", emailAddress: "carol@example.com", status: "enabled" };
    const request = { id: "u-1", emailAddress: "carol@example.net" };
    const about = { words: "user email", operation: "ModifyUser", subjectKind: "user", subjectId: "u-1" } as const;
    await store.begin(aChange({ ...about, request, before: account }));
    await store.settle("chg-1", aSettlement({ answer: null, subjectId: "u-1" }));
    const { client, calls } = createFakeSlack(({ method }) =>
      method === "users.lookupByEmail" ? found() : { ok: true, channel: "D1", ts: "1.1" },
    );
    const { withEmail } = createActors({
      client,
      teamId: () => "T1",
      groupIds: () => [],
      elapsedMs: () => noon,
      log: quietLog,
    });
    const drawReminder = async () => undefined;
    const sender = createSender({
      isClosed: async () => true,
      client,
      store,
      drawReminder,
      drawBulletin: async () => undefined,
      withEmail,
      cardLink: async () => undefined,
      cardSources: sourcesOf(store),
      now: () => noon,
    });
    const postedTo = () => calls.flatMap(({ method, args }) => (method === "chat.postMessage" ? [args.channel] : []));
    return { store, sender, postedTo };
  }
  const deliverTo = async (person: object) => {
    const user = { id: "U03CAROL", team_id: "T1", ...person };
    const { sender, postedTo } = await startScene(() => ({ ok: true, user }));
    expect(await sender.send(anOutboxMessage({ kind: "account-owner", to: "u-1" }))).toMatchObject({ kind: "sent" });
    return postedTo();
  };

  test.each([
    ["a member", {}],
    ["a guest", { is_restricted: true }],
  ])("goes to %s of the workspace", async (_who, person) => {
    expect(await deliverTo(person)).toEqual(["U03CAROL"]);
  });

  test.each([
    ["somebody of another organization", { team_id: "T2" }],
    ["a stranger", { is_stranger: true }],
    ["a bot", { is_bot: true }],
    ["somebody who has left", { deleted: true }],
  ])("does not go to %s", async (_who, person) => {
    expect(await deliverTo(person)).toEqual([]);
  });

  test("waits for a missing scope, logs a warning, and is sent when the scope is there", async () => {
    let answer: SlackAnswer = { ok: false, error: "missing_scope", needed: "users:read.email" };
    const { store, sender, postedTo } = await startScene(() => answer);
    const warned: unknown[] = [];
    const log = createLogger({ level: "warn", destination: { write: (line) => void warned.push(JSON.parse(line)) } });
    const queued = [outboxMessage("account-owner", "u-1")];
    const { outbox, run } = await startWorker(sender, queued, { store, log });
    outbox.wake();
    await outbox.idle();
    expect(warned).toEqual([expect.objectContaining({ level: 40, kind: "account-owner", error: "missing_scope" })]);
    answer = { ok: true, user: { id: "U03CAROL", team_id: "T1" } };
    await run();
    expect(postedTo()).toEqual(["U03CAROL"]);
  });

  test("waits for a rate-limited look-up without delaying messages to channels", async () => {
    const { store, sender, postedTo } = await startScene(
      () => new Response("", { status: 429, headers: { "retry-after": "600" } }),
    );
    const notices = ["u-1", "u-2", "u-3"].map((to) => outboxMessage("account-owner", to));
    const { outbox } = await startWorker(sender, [...notices, outboxMessage("card", "C1")], { store });
    outbox.wake();
    await outbox.idle();
    expect(postedTo()).toEqual(["C1"]);
    expect(await nextDueAt(store, 0)).toBe(noon + 600_000);
  });
});
