import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createChanges } from "../../src/changes/changes.ts";
import type { ChangeCommand } from "../../src/commands/command.ts";
import { exclusionCreate, exclusionEnd } from "../../src/commands/exclusion/exclusion.ts";
import { exclusionExtend } from "../../src/commands/exclusion/exclusion-extend.ts";
import type { Input } from "../../src/commands/field.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import { approvalFor, mayApprove } from "../../src/permissions/approval-rules.ts";
import { rolesHeld } from "../../src/permissions/policy.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { changeCard } from "../../src/slack/messages/cards/change-card.ts";
import { createActors } from "../../src/slack/people/actors.ts";
import { anActor } from "../permissions/build.ts";
import { createTestClient } from "../service/test-client.ts";
import { createFakeSlack } from "../slack/fake-slack.ts";
import { verify } from "../store/history-file.ts";
import { unhurried } from "../store/next-due.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { newDatabase } from "../support/new-database.ts";
import { aContext, directoryOn, hourMs, noon, peopleFrom, quietLog, someSettings } from "./build.ts";

const hash = (digit: string): string => digit.repeat(64);
const callers = `
budgets:
  - { weeklyHours: 5, then: refuse }
callers:
  - { name: deploy-bot, tokenSha256: "${hash("a")}", role: engineer, channel: C0OPS }
  - { name: other-bot, tokenSha256: ["${hash("b")}", "${hash("c")}"], role: engineer, channel: C0OPS, zone: Asia/Tokyo }
  - { name: root-bot, tokenSha256: "${hash("d")}", role: admin, channel: C0OPS }
`;
const settings = someSettings(
  `${readFileSync("manifest/curfew.example.yaml", "utf8").replace(/^callers:\n.*\n/m, "")}${callers}`,
);
const bot = "caller:deploy-bot";

function startActors() {
  const slack = createFakeSlack(() => ({ ok: false, error: "user_not_found" }));
  const options = { client: slack.client, teamId: "T1", groupIds: () => [], elapsedMs: () => noon, log: quietLog };
  return { slack, actors: createActors({ ...options, zoneOfProgram: () => "Europe/Berlin" }) };
}

test("a program has exactly the role that the config names, approves nothing, and is never looked up in Slack", async () => {
  const { actors, slack } = startActors();
  const { policy } = settings;
  const rolesOf = async (id: string) => rolesHeld(policy, await actors.actor(id, "change"));
  expect(await actors.actor(bot)).toEqual({
    ...{ teamId: "T1", userId: bot, name: "deploy-bot (pipeline)", timeZone: "Europe/Berlin" },
    ...{ membership: "member", groupIds: [] },
  });
  expect(await rolesOf(bot)).toEqual(["engineer"]);
  expect(await rolesOf("caller:root-bot")).toEqual(["admin"]);
  expect(await rolesOf("caller:gone-bot")).toEqual([]);
  expect(await rolesOf("workflow:keep")).toEqual([]);
  const root = await actors.actor("caller:root-bot");
  expect(mayApprove(policy, root, ["admin", "helpdesk"])).toBe(false);
  expect(approvalFor(policy, { actor: root, operation: "RemoveUserMfa", channelId: "C0OPS" })).toBeDefined();
  expect(await actors.find(bot)).toMatchObject({ userId: bot });
  expect(actors.known(bot)?.name).toBe("deploy-bot (pipeline)");
  expect(await actors.emailOf(bot)).toBeUndefined();
  expect(slack.calls).toEqual([]);
  const file = `permissions: { roles: { admin: { members: ["${bot}"], allow: ["*"] } } }`;
  expect(() => someSettings(file)).toThrow(/is not a user id/);
});

test("makes a program's change under its name, with its role's limits, and sends it no messages", async () => {
  const file = await newDatabase();
  const { changes, run, store } = await startPipeline(file);
  const made = await run(bot, exclusionCreate, staging(4), "1");
  const change = "change" in made ? made.change : undefined;
  expect(change).toMatchObject({ state: "succeeded", role: "engineer", actor: { userId: bot } });
  const exclusion = change?.subjectId ?? "";
  expect(await store.get("exclusion", exclusion)).toMatchObject({ ownerId: bot });
  expect((await store.claim(noon + hourMs, 0, unhurried, 20)).map(({ to }) => to)).toEqual(["C0OPS"]);
  const drawn = JSON.stringify(change && changeCard(change, { later: [], now: noon }));
  expect(drawn).toContain("deploy-bot (pipeline) is keeping");
  expect(drawn).not.toContain("<@");

  expect(await run(bot, exclusionCreate, { ...staging(30), another: true }, "2")).toMatchObject({ kind: "refused" });
  const later = { exclusion, until: { forMs: hourMs } };
  expect(await run("caller:other-bot", exclusionExtend, later, "3")).toMatchObject({
    kind: "refused",
    decision: { rule: "permissions.roles.engineer.where.own" },
  });
  expect(await run(bot, exclusionExtend, later, "4")).toMatchObject({ kind: "settled" });
  // Its hours are counted as a person's are.
  expect(await run(bot, exclusionExtend, later, "5")).toMatchObject({
    ...{ kind: "refused", decision: { rule: "budgets.0" } },
  });
  expect(await run("U03CAROL", exclusionEnd, { exclusion }, "6")).toMatchObject({
    kind: "settled",
    change: { state: "succeeded", actor: { userId: "U03CAROL" } },
  });
  await changes.stop();
  expect(await verify(file)).toMatchObject({ kind: "intact" });
});

const staging = (hours: number): Input => ({
  ...{ resourceIds: ["i-0a1"], type: "amazon-ec2-instance", project: "p-dev", process: "stop" },
  ...{ until: noon + hours * hourMs, reason: "release" },
});

async function startPipeline(file: string) {
  const service = await startSandboxService({ now: () => noon });
  onTestFinished(() => service.close());
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey });
  const store = await openTestStore(file);
  const { actors } = startActors();
  const actorOf = async (id: string) =>
    id.startsWith("U") ? anActor({ userId: id, name: "carol", groupIds: [] }) : actors.actor(id);
  let ids = 0;
  const changes = createChanges({
    ...{ store, service: client, actorOf, settings: () => settings, directory: directoryOn(store) },
    read: createReadService(client, store, () => noon),
    secretFiles: { read: async () => ({ kind: "unreadable", reason: "there are none" }) },
    people: peopleFrom(actorOf),
    withEmail: async () => undefined,
    now: () => noon,
    newId: () => `chg-${++ids}`,
    log: quietLog,
    wake: () => undefined,
  });
  const run = async (id: string, command: ChangeCommand, input: Input, idempotencyKey: string) => {
    const context = aContext({ directory: directoryOn(store), actor: await actorOf(id), settings });
    return changes.run({ command, input, context, idempotencyKey });
  };
  return { changes, run, store };
}
