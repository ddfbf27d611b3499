import { onTestFinished } from "vitest";
import type { Ask, Changes } from "../../src/changes/changes.ts";
import { createQueries } from "../../src/changes/queries/queries.ts";
import { catalogue } from "../../src/commands/catalogue.ts";
import { userEnable } from "../../src/commands/user.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createHomes } from "../../src/slack/home/homes.ts";
import type { Desk } from "../../src/slack/listeners/desk.ts";
import { usageOf } from "../../src/slack/messages/usage.ts";
import { aChange, noon, quietLog, someSettings } from "../changes/build.ts";
import { createMemoryDirectory } from "../commands/memory-known.ts";
import { anActor } from "../permissions/build.ts";
import { createTestClient } from "../service/test-client.ts";
import { createMemoryGroups } from "../support/memory-groups.ts";
import { things } from "./build.ts";
import { createFakeSlack } from "./fake-slack.ts";

/** The desk of Carol, who may do everything. What she asks to be changed is written down and not made; reads are real. */
export async function startDesk() {
  const service = await startSandboxService({ now: () => noon });
  onTestFinished(() => service.close());
  const serviceClient = createTestClient(service.baseUrl, { apiKey: service.apiKey }).client;
  const { client, calls } = createFakeSlack(() => ({ ok: true, view: { id: "V1" }, channel: "D1", ts: "1.1" }));
  const asks: Ask[] = [];
  const told: unknown[] = [];
  const fixed = someSettings();
  const settings = () => fixed;
  const directory = createMemoryDirectory(things);
  const read = createReadService(serviceClient, directory, () => noon);
  const groups = createMemoryGroups();
  const desk: Desk = {
    client,
    read,
    directory,
    groups,
    settings,
    changes: recordingChanges(asks),
    approvals: {
      decide: async () => ({ kind: "invalid", problem: { problem: "Nothing waits here." } }),
      whyNot: async () => undefined,
    },
    configRequests: { decide: async () => ({ kind: "refused", reason: "Nothing waits here." }) },
    actors: {
      actor: async () => anActor({ userId: "U03CAROL", name: "Carol", groupIds: [] }),
      emailOf: async () => "bob@example.com",
      withEmail: async () => undefined,
    },
    queries: createQueries({
      log: quietLog,
      newId: () => "chg-1",
      wake: () => undefined,
      store: { list: async () => [], transitions: async () => [], waiting: async () => [] },
      groups,
      planUndo: async () => ({ problem: "There is no change." }),
      settings,
      read,
      actor: async (userId) => anActor({ userId }),
      helpFor: (command) => usageOf("/curfew", command),
      commands: catalogue,
    }),
    noteAnswer: async () => undefined,
    cardLink: async () => undefined,
    homes: createHomes({ publish: async () => undefined, elapsedMs: () => noon, log: quietLog }),
    floodGuard: { allow: () => true },
    stalledMs: () => 0,
    slashCommand: "/curfew",
    now: () => noon,
    fetch: async (_url, init) => {
      told.push(JSON.parse(String(init?.body)));
      return new Response("ok");
    },
    log: quietLog,
  };
  return { desk, service, asks, told, calls };
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
