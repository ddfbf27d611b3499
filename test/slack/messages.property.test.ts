import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeStates } from "../../src/changes/change.ts";
import type { ChangeOutcome } from "../../src/changes/changes.ts";
import type { Answer, Fact } from "../../src/commands/answer.ts";
import { messageLimit, validateBlocks } from "../../src/sandbox/workspace/blocks.ts";
import { answerMessage } from "../../src/slack/messages/answer-message.ts";
import { changeCard, summaryCard, threadLine } from "../../src/slack/messages/cards/change-card.ts";
import { approvalReminder } from "../../src/slack/messages/cards/change-state.ts";
import { endButton, extendButtons } from "../../src/slack/messages/cards/exclusion-card.ts";
import { exclusionReminder } from "../../src/slack/messages/cards/exclusion-reminders.ts";
import type { Message } from "../../src/slack/messages/message.ts";
import { refusalMessage, reportMessage } from "../../src/slack/messages/notices.ts";
import { outcomeMessage, settledMessage } from "../../src/slack/messages/outcome-message.ts";
import { accountOwnerMessage, ownerCard } from "../../src/slack/messages/owner-messages.ts";
import { aChange, aDecision, anApproval, anExclusion, exclusionRequest, hourMs, noon } from "../changes/build.ts";
import { liveMentions, readMrkdwn } from "../support/read-mrkdwn.ts";
import { anyChange, changeCommands } from "./any-change.ts";
import { hostileText, mrkdwnIn } from "./hostile-text.ts";

const zone = "Europe/Berlin";

/** The only tags that may appear: people, groups and channels that Curfew mentions, and times. */
const ownTag = /<(?:@[UW][A-Z0-9]+|#C[A-Z0-9]+|!subteam\^S[A-Z0-9]+|!date\^[^<>]*)>/g;

/** Curfew writes in bold and code only. */
const neverOurs: ReadonlySet<string> = new Set(["italic", "struck", "quote", "code block"]);

/** Slack takes the message, and it mentions only the given people. */
function expectHarmless({ text, blocks }: Message, mayMention: readonly string[] = []): void {
  expect(validateBlocks(blocks, "message")).toEqual([]);
  expect(messageLimit(blocks)).toBeUndefined();
  expect(text.length).toBeGreaterThan(0);
  expect(text.length).toBeLessThanOrEqual(40_000);
  expect(text).not.toMatch(/[<>]/);
  for (const { text: shown, verbatim } of mrkdwnIn(blocks)) {
    expect(liveMentions(shown).filter((mention) => !mayMention.includes(mention))).toEqual([]);
    expect(shown.replace(ownTag, "")).not.toMatch(/[<>]/);
    expect(verbatim).toBe(true);
    expect(readMrkdwn(shown).filter(({ kind, text: part }) => neverOurs.has(kind) || part === ":tada:")).toEqual([]);
  }
}

/** The requester, the approvers and the channel. */
const involved = ["<#C0OPS>", "<@U01ALICE>", "<@U03CAROL>", "<@W1>", "<!subteam^S0ENGINEERS>"];

describe.each(changeCommands.map((command) => [command.words, command] as const))(
  "a change by %s with hostile text",
  (_words, command) => {
    test("has a valid card and thread lines that mention only requester and approvers", () => {
      const changes = fc.tuple(anyChange(command), fc.array(fc.constantFrom(...changeCommands), { maxLength: 2 }));
      const withLater = changes.chain(([change, commands]) =>
        fc.tuple(fc.constant(change), fc.tuple(...commands.map((later) => anyChange(later, "chg-2")))),
      );
      const moments = fc.integer({ min: noon, max: noon + 2000 * hourMs });
      fc.assert(
        fc.property(withLater, moments, ([change, later], now) => {
          expectHarmless(changeCard(change, { later, now }), involved);
          expectHarmless(threadLine(change), involved);
          const reminder = approvalReminder(change);
          if (reminder) expectHarmless(reminder, involved);
        }),
        { numRuns: 8 },
      );
    });

    test("has valid replies and reports that mention only requester and approvers", () => {
      const kinds = ["repeated", "already-requested", "settled", "asked", "outcome-not-recorded"] as const;
      const ruling = { verdict: "approved", note: null } as const;
      fc.assert(
        fc.property(anyChange(command), hostileText, fc.constantFrom(...kinds), (change, note, kind) => {
          expectHarmless(settledMessage(change, note), involved);
          expectHarmless(reportMessage(change, note));
          expectHarmless(accountOwnerMessage(change, { timeZone: zone }), involved);
          for (const mayStop of [true, false]) expectHarmless(ownerCard(change, { timeZone: zone, mayStop }), involved);
          expectHarmless(outcomeMessage({ kind, change }, { zone }), involved);
          expectHarmless(outcomeMessage({ kind: "decided", ruling, change }, { zone }));
          expectHarmless(outcomeMessage({ kind: "overtaken", ruling, change }, { zone, requesterId: "U03CAROL" }));
        }),
        { numRuns: 8 },
      );
    });
  },
);

test.each(changeStates)(
  "the card and the reply of a change that is %s fit the limits with the longest texts",
  (state) => {
    const long = "&".repeat(500);
    const decisions = Array.from({ length: 20 }, () => aDecision({ note: long, approverName: long }));
    const approvers = Array.from({ length: 9 }, () => ({ role: long, members: Array(9).fill("S0ENGINEERS") }));
    const change = aChange({
      state,
      request: { ...exclusionRequest, name: long, resourceIds: Array(2000).fill("i-0a1") },
      before: anExclusion({ name: long, projectId: long, resourceIds: Array(200).fill(long) }),
      approval: anApproval({ approvers, count: 20, channelId: "C0OPS", effect: Array(9).fill(long) }),
      decisions,
      reason: long,
      note: long,
      error: { code: long, message: long },
      settledAt: noon,
    });
    expectHarmless(changeCard(change, { later: [], now: noon }), involved);
    expectHarmless(settledMessage(change, long), involved);
    const reminder = approvalReminder(change);
    if (reminder) expectHarmless(reminder, involved);
  },
);

test("a refusal is valid and mentions only the people who could do it", () => {
  const holders = fc.array(
    fc.record({ role: hostileText, members: fc.uniqueArray(fc.constantFrom("U02BOB", "S0ENGINEERS", "W1")) }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(hostileText, holders, (reason, couldDo) => {
      const decision = { kind: "denied", reason, rule: "default deny", couldDo } as const;
      const allowed = ["<@U02BOB>", "<!subteam^S0ENGINEERS>", "<@W1>"];
      expectHarmless(refusalMessage(decision), allowed);
      expectHarmless(outcomeMessage({ kind: "refused", decision }, { zone }), allowed);
    }),
  );
});

test("a problem and a change that could not be saved give valid messages", () => {
  const outcome: fc.Arbitrary<ChangeOutcome> = fc.oneof(
    fc.constant({ kind: "not-recorded" } as const),
    hostileText.map((problem) => ({ kind: "invalid", problem: { problem } }) as const),
  );
  fc.assert(fc.property(outcome, (each) => expectHarmless(outcomeMessage(each, { zone }))));
});

const value: fc.Arbitrary<Fact["value"]> = fc.oneof(
  hostileText,
  fc.array(hostileText, { maxLength: 5 }).map((list) => ({ list })),
  fc.integer({ min: 0, max: 4 * noon }).map((at) => ({ at })),
);
const fact: fc.Arbitrary<Fact> = fc.record(
  { label: hostileText, value, before: value },
  { requiredKeys: ["label", "value"] },
);
const button = fc.record({
  label: fc.constantFrom("Extend…", "Next"),
  words: fc.constantFrom("exclusion extend", "action list"),
  opens: fc.constantFrom("form" as const, "result" as const),
  input: fc.dictionary(hostileText, hostileText, { maxKeys: 2 }),
});
const item = fc.record({
  title: fc.oneof(hostileText, fc.constant("")),
  facts: fc.array(fact, { maxLength: 14 }),
  buttons: fc.uniqueArray(button, { maxLength: 2, selector: ({ label }) => label }),
});
const answer: fc.Arbitrary<Answer> = fc.record({
  title: hostileText,
  note: fc.option(hostileText, { nil: undefined }),
  items: fc.array(item, { maxLength: 60 }),
  buttons: fc.uniqueArray(button, { maxLength: 2, selector: ({ label }) => label }),
});

test("an answer of any length is valid and mentions nobody", () => {
  fc.assert(
    fc.property(answer, (each) => expectHarmless(answerMessage(each, zone))),
    { numRuns: 16 },
  );
});

test("a reminder is valid and mentions only the owner of the exclusion", () => {
  const texts = fc.oneof(hostileText, fc.constant(null));
  const ending = fc.record({
    name: texts,
    ownerId: fc.constantFrom("U01ALICE", null),
    ids: fc.array(hostileText, { maxLength: 30 }),
    processes: fc.array(hostileText, { maxLength: 30 }),
    endsAt: fc.integer({ min: noon, max: 4 * noon }),
    reader: fc.constantFrom("owner" as const, "card" as const, "thread" as const, "stranger" as const),
    elsewhere: fc.constantFrom("C0OPS", undefined),
    others: fc.nat({ max: 5 }),
  });
  fc.assert(
    fc.property(ending, ({ name, ownerId, ids: resourceIds, processes, endsAt, reader, elsewhere, others }) => {
      const body = { ...anExclusion(), name, resourceIds, processes };
      const exclusion = {
        kind: "exclusion",
        id: "ae-1",
        name,
        email: null,
        projectId: null,
        ownerId,
        endedAt: null,
        body,
      } as const;
      const buttons = [...extendButtons("ae-1", endsAt, "chg-1"), endButton("ae-1")];
      const by = { ...exclusion, id: "ae-2" };
      const alsoHeld = Array.from({ length: others }, () => ({ by, resourceIds, processes }));
      const reminder = exclusionReminder({
        exclusion,
        made: aChange(),
        context: { later: [], now: noon, nextStop: { action: name ?? "Stop", at: endsAt } },
        endsAt,
        alsoHeld,
        zone,
        reader,
        buttons,
        elsewhere,
      });
      expectHarmless(reminder, involved);
    }),
  );
});

test("a summary of any number of changes is valid and mentions only the requesters", () => {
  const summedUp = fc.record({
    words: hostileText,
    state: hostileText,
    actorId: fc.integer({ min: 0, max: 99 }).map((number) => `U0${number}`),
    actorName: hostileText,
    queuedAt: fc.integer({ min: noon, max: 2 * noon }),
  });
  fc.assert(
    fc.property(fc.array(summedUp, { minLength: 2, maxLength: 200 }), (changes) => {
      expectHarmless(
        summaryCard(changes),
        changes.map(({ actorId }) => `<@${actorId}>`),
      );
    }),
    { numRuns: 16 },
  );
});
