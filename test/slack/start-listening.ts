import { onTestFinished } from "vitest";
import type { Changes } from "../../src/changes/changes.ts";
import type { Ask } from "../../src/changes/ports.ts";
import { userEnable } from "../../src/commands/user.ts";
import type { PlacedDirectory } from "../../src/directory/directory.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createHomes } from "../../src/slack/home/homes.ts";
import { type AccessOptions, createAccess } from "../../src/slack/listeners/access.ts";
import { createKnownNames } from "../../src/slack/listeners/line/known-names.ts";
import { createReplies, type RepliesOptions } from "../../src/slack/listeners/replies.ts";
import { createContextOf } from "../../src/slack/listeners/request-context.ts";
import { createRunCommand, type RunDeps } from "../../src/slack/listeners/run-command.ts";
import type { Actors } from "../../src/slack/people/actors.ts";
import { aChange, noon, quietLog, someSettings } from "../changes/build.ts";
import { createMemoryDirectory } from "../commands/memory-directory.ts";
import { anActor } from "../permissions/build.ts";
import { createTestClient } from "../service/test-client.ts";
import { createEmptyQueries } from "../support/empty-queries.ts";
import { createMemoryGroups } from "../support/memory-groups.ts";
import { things } from "./build.ts";
import { createFakeSlack } from "./fake-slack.ts";

/** What the handlers use for Carol, who may do everything. What she asks to be changed is written down and not made; reads are real. */
export async function startListening() {
  const service = await startSandboxService({ now: () => noon });
  onTestFinished(() => service.close());
  const serviceClient = createTestClient(service.baseUrl, { apiKey: service.apiKey }).client;
  const { client, calls } = createFakeSlack(() => ({ ok: true, view: { id: "V1" }, channel: "D1", ts: "1.1" }));
  const asks: Ask[] = [];
  const replies: unknown[] = [];
  const fixed = someSettings();
  const settings = () => fixed;
  const directory = createMemoryDirectory(things);
  const read = createReadService(serviceClient, directory, () => noon);
  const groups = createMemoryGroups();
  const actors: Actors = {
    actor: async () => anActor({ userId: "U03CAROL", name: "Carol", groupIds: [] }),
    find: async () => undefined,
    idsIn: async () => [],
    known: () => undefined,
    emailOf: async () => "bob@example.com",
    withEmail: async () => undefined,
    changed: () => undefined,
    refresh: async () => undefined,
  };
  const changes = recordingChanges(asks);
  const approvals: RunDeps["approvals"] & AccessOptions["approvals"] = {
    decide: async () => ({ kind: "invalid", problem: { problem: "Nothing waits here." } }),
    whyNot: async () => undefined,
    isPlanned: async () => false,
    planAgain: async () => undefined,
  };
  const outcomes: RunDeps["outcomes"] = {
    check: async () => ({ kind: "invalid", problem: { problem: "Nothing is unknown here." } }),
    report: async () => ({ kind: "invalid", problem: { problem: "Nothing is unknown here." } }),
    retry: async () => ({ kind: "invalid", problem: { problem: "Nothing is left here." } }),
  };
  const queries = createEmptyQueries({
    planUndo: async () => ({ problem: "There is no change." }),
    ...{ groups, withEmail: actors.withEmail, settings, read },
  });
  const homes = createHomes({ publish: async () => undefined, elapsedMs: () => noon, log: quietLog });
  const fetch: RepliesOptions["fetch"] = async (_url, init) => {
    replies.push(JSON.parse(String(init?.body)));
    return new Response("ok");
  };
  const now = () => noon;
  const channelMembers = { has: async () => true, nameOf: async () => "ops" };
  const contextIn = (inside: PlacedDirectory) =>
    createContextOf({ actors, channelMembers, directory: inside, groups, read, settings, now });
  const cardLink = async () => undefined;
  const ports = {
    contextOf: contextIn(directory),
    names: createKnownNames({
      known: directory,
      actions: { last: () => [], list: async () => undefined },
      settings,
      now,
      log: quietLog,
    }),
    access: createAccess({ settings, approvals, log: quietLog }),
    runCommand: createRunCommand({
      ...{ actors, queries, changes, approvals, outcomes, cardLink, now, log: quietLog },
      ...{ contextOf: contextIn(directory), channelMembers, settings },
    }),
    replies: createReplies({
      client,
      fetch,
      homes,
      noteAnswer: async () => undefined,
      receipts: { end: async () => undefined },
      log: quietLog,
    }),
    ...{
      actors,
      channelMembers,
      changes,
      homes,
      queries,
      settings,
      read,
      client,
      slashCommand: "/curfew",
      log: quietLog,
    },
  };
  return { ports, contextIn, service, asks, replies, calls };
}

function recordingChanges(asks: Ask[]): Changes {
  return {
    check: () => Promise.reject(new Error("only a form is checked beforehand")),
    run: async (ask) => {
      asks.push(ask);
      return { kind: "settled", change: aChange({ state: "failed" }) };
    },
    actedOn: async () => undefined,
    planUndo: async (changeId) => ({ command: userEnable, input: { user: "u-1" }, undoes: changeId }),
  };
}
