import fc from "fast-check";
import { type Change, changeStates } from "../../src/changes/change.ts";
import { isProblem } from "../../src/commands/answer.ts";
import { catalogue } from "../../src/commands/catalogue.ts";
import type { ChangeCommand } from "../../src/commands/command.ts";
import { entityKind } from "../../src/directory/directory.ts";
import { aChange, aContext, hourMs, noon, someSettings } from "../changes/build.ts";
import { anyInput } from "../commands/any-input.ts";
import { hostileText } from "./hostile-text.ts";

export const changeCommands: readonly ChangeCommand[] = catalogue.filter((command) => command.kind === "change");

const anyText = fc.oneof({ weight: 4, arbitrary: hostileText }, fc.constant(null));
const lenientList = fc.oneof(fc.array(hostileText, { maxLength: 20 }), fc.constant(null));
const anyTime = fc.oneof(
  fc.integer({ min: noon, max: noon + 1000 * hourMs }).map((at) => new Date(at).toISOString()),
  anyText,
);
const flag = fc.option(fc.boolean());

/** Every field of any resource of the service (API.md), with hostile values. */
const anyBody = fc.record(
  {
    name: anyText,
    username: anyText,
    emailAddress: anyText,
    projectId: anyText,
    planType: anyText,
    status: anyText,
    state: anyText,
    mfaType: anyText,
    isEnabled: flag,
    isDefault: flag,
    resourceType: anyText,
    resourceIdentificationMethod: anyText,
    resourceIds: lenientList,
    processes: lenientList,
    credentialIds: lenientList,
    regionNames: lenientList,
    tags: lenientList,
    timeZoneId: anyText,
    startDate: anyTime,
    createdDate: anyTime,
    expiryDate: anyTime,
    lastAccessDate: anyTime,
    cloudProviderSubTypeId: anyText,
    credentialType: anyText,
    schedule: fc.option(fc.record({ scheduleType: anyText, timeOfDay: anyText, timeZoneId: anyText })),
    parameters: fc.option(fc.record({ startStopMode: anyText })),
    managedPolicies: fc.option(fc.array(fc.record({ managedPolicyId: hostileText, name: anyText }), { maxLength: 3 })),
    resourceTagComparisons: fc.option(
      fc.array(fc.record({ tagName: hostileText, compareType: hostileText, tagValue: anyText }), { maxLength: 3 }),
    ),
    amazonIamRole: fc.option(fc.record({ roleArn: anyText, externalId: anyText })),
  },
  { requiredKeys: [] },
);

/** The fields that an exclusion or a selector needs to be changed. */
const required = {
  name: "x",
  resourceType: "x",
  resourceIdentificationMethod: "x",
  processes: ["x"],
  selectorCode: "x",
};

function bodyOf(command: ChangeCommand, id: string, facts: object) {
  const ids = "planId selectorId actionExclusionId credentialId userId".split(" ").map((key) => [key, id]);
  const own = command.about === "project" ? [["projectId", id]] : [];
  const given = Object.entries(facts).filter(([, value]) => value !== null);
  return entityKind(command.about).schema.parse(
    Object.fromEntries([...Object.entries(required), ...given, ...ids, ...own]),
  );
}

const example = someSettings();
const settings = { ...example, exclusions: { ...example.exclusions, maxLengthMs: 10_000 * hourMs, warnMs: 0 } };

const anyApproval = fc.record({
  rule: fc.constant("approvals.0"),
  approvers: fc.array(
    fc.record({ role: hostileText, members: fc.uniqueArray(fc.constantFrom("U03CAROL", "S0ENGINEERS", "W1")) }),
    { minLength: 1, maxLength: 2 },
  ),
  count: fc.integer({ min: 1, max: 20 }),
  channelId: fc.constant("C0OPS"),
  expiresAt: fc.integer({ min: noon, max: noon + 100 * hourMs }),
  effect: fc.array(hostileText, { maxLength: 2 }),
  beyond: fc.option(fc.record({ how: fc.constantFrom("over", "outside"), what: hostileText }), { nil: undefined }),
});

const anyDecision = fc.record({
  approverId: fc.constantFrom("U03CAROL", "W1"),
  approverName: hostileText,
  verdict: fc.constantFrom("approved" as const, "denied" as const),
  note: fc.option(hostileText),
  at: fc.integer({ min: noon, max: noon + 100 * hourMs }),
});

/** A change by the command, with the request it makes and hostile text in every value from outside. */
export function anyChange(command: ChangeCommand, id = "chg-1"): fc.Arbitrary<Change> {
  const facts = fc.record({
    input: anyInput(command.fields),
    subject: hostileText,
    before: fc.option(anyBody),
    answer: fc.option(anyBody),
    state: fc.constantFrom(...changeStates),
    name: hostileText,
    reason: fc.option(hostileText),
    role: hostileText,
    note: fc.option(hostileText),
    error: fc.option(fc.record({ code: hostileText, message: hostileText })),
    approval: fc.option(anyApproval),
    decisions: fc.array(anyDecision, { maxLength: 2 }),
    settledAt: fc.option(fc.constant(noon)),
    zone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York"),
  });
  const changes = facts.map(
    ({ input: anyGiven, subject, before: anyBefore, answer, name: actorName, zone, ...rest }) => {
      const before = anyBefore && bodyOf(command, subject, anyBefore);
      const name = before && "name" in before && typeof before.name === "string" ? before.name : anyGiven.credential;
      const input = {
        ...anyGiven,
        // A deletion is confirmed by typing the name.
        ...(command.words === "credential delete" ? { name: String(name).trim() } : {}),
        // A selector is one of its plan's.
        ...(command.words === "selector edit" ? { plan: subject } : {}),
      };
      const request = command.request(input, aContext({ settings }), before ?? undefined);
      return aChange({
        ...rest,
        id,
        words: command.words,
        operation: command.operation,
        input,
        request,
        before,
        answer: answer && bodyOf(command, subject, answer),
        subjectKind: command.about,
        subjectId: subject,
        actor: { teamId: "T1", userId: "U01ALICE", name: actorName, timeZone: zone },
      });
    },
  );
  // Input without a valid request is never recorded.
  return changes.filter(({ request }) => !isProblem(request));
}
