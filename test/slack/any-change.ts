import fc from "fast-check";
import { type Change, changeStates } from "../../src/changes/change.ts";
import { isProblem } from "../../src/commands/answer.ts";
import { catalogue } from "../../src/commands/catalogue.ts";
import type { ChangeCommand } from "../../src/commands/command.ts";
import { entityBodies } from "../../src/directory/directory.ts";
import { aChange, aContext, hourMs, noon, someSettings } from "../changes/build.ts";
import { anyInput } from "../commands/any-input.ts";
import { hostileText } from "./hostile-text.ts";

export const changeCommands: readonly ChangeCommand[] = catalogue.filter((command) => command.kind === "change");

const told = fc.oneof({ weight: 4, arbitrary: hostileText }, fc.constant(null));
const lenientList = fc.oneof(fc.array(hostileText, { maxLength: 20 }), fc.constant(null));
const toldTime = fc.oneof(
  fc.integer({ min: noon, max: noon + 1000 * hourMs }).map((at) => new Date(at).toISOString()),
  told,
);
const flag = fc.option(fc.boolean());

/** Every field that some resource of the service has (spec.md), with what nobody should ever put there. */
const anyBody = fc.record(
  {
    name: told,
    username: told,
    emailAddress: told,
    projectId: told,
    planType: told,
    status: told,
    state: told,
    mfaType: told,
    isEnabled: flag,
    isDefault: flag,
    resourceType: told,
    resourceIdentificationMethod: told,
    resourceIds: lenientList,
    processes: lenientList,
    credentialIds: lenientList,
    regionNames: lenientList,
    tags: lenientList,
    timeZoneId: told,
    startDate: toldTime,
    createdDate: toldTime,
    expiryDate: toldTime,
    lastAccessDate: toldTime,
    cloudProviderSubTypeId: told,
    credentialType: told,
    schedule: fc.option(fc.record({ scheduleType: told, timeOfDay: told, timeZoneId: told })),
    parameters: fc.option(fc.record({ startStopMode: told })),
    managedPolicies: fc.option(fc.array(fc.record({ managedPolicyId: hostileText, name: told }), { maxLength: 3 })),
    resourceTagComparisons: fc.option(
      fc.array(fc.record({ tagName: hostileText, compareType: hostileText, tagValue: told }), { maxLength: 3 }),
    ),
    amazonIamRole: fc.option(fc.record({ roleArn: told, externalId: told })),
  },
  { requiredKeys: [] },
);

/** What a whole exclusion or selector has, so that it can be changed. */
const whole = {
  name: "x",
  resourceType: "x",
  resourceIdentificationMethod: "x",
  processes: ["x"],
  selectorCode: "x",
};

function bodyOf(command: ChangeCommand, id: string, facts: object) {
  const ids = "planId selectorId actionExclusionId credentialId userId".split(" ").map((key) => [key, id]);
  const own = command.about === "project" ? [["projectId", id]] : [];
  const told = Object.entries(facts).filter(([, value]) => value !== null);
  return entityBodies[command.about].parse(Object.fromEntries([...Object.entries(whole), ...told, ...ids, ...own]));
}

const settings = { ...someSettings(), exclusions: { defaultMs: hourMs, longestMs: 10_000 * hourMs, warnMs: 0 } };

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
});

const anyDecision = fc.record({
  approverId: fc.constantFrom("U03CAROL", "W1"),
  approverName: hostileText,
  verdict: fc.constantFrom("approved" as const, "denied" as const),
  note: fc.option(hostileText),
  at: fc.integer({ min: noon, max: noon + 100 * hourMs }),
});

/** A change by any command of the catalogue, its request made by that command, everything that came from outside hostile. */
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
  const changes = facts.map(({ input: given, subject, before, answer, name, zone, ...rest }) => {
    const directory = before && bodyOf(command, subject, before);
    // Some things are confirmed by typing what they are called.
    const called =
      directory && "name" in directory && typeof directory.name === "string" ? directory.name : given.credential;
    const input = command.words === "credential delete" ? { ...given, name: String(called).trim() } : given;
    const request = command.request(input, aContext({ settings }), directory ?? undefined);
    return aChange({
      ...rest,
      id,
      words: command.words,
      operation: command.operation,
      input,
      request,
      before: directory,
      answer: answer && bodyOf(command, subject, answer),
      subjectKind: command.about,
      subjectId: subject,
      actor: { teamId: "T1", userId: "U01ALICE", name, timeZone: zone },
    });
  });
  // What cannot be made into a request is never recorded.
  return changes.filter(({ request }) => !isProblem(request));
}
