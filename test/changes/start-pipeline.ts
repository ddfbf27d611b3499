import { onTestFinished } from "vitest";
import { createChanges } from "../../src/changes/changes.ts";
import type { ChangePorts } from "../../src/changes/ports.ts";
import type { ChangeCommand } from "../../src/commands/command.ts";
import type { Input } from "../../src/commands/field.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import type { Actor } from "../../src/permissions/actor.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { anActor } from "../permissions/build.ts";
import { createTestClient } from "../service/test-client.ts";
import { openTestStore } from "../store/open-test-store.ts";
import { aContext, directoryOn, noon, peopleFrom, quietLog, someSettings } from "./build.ts";

interface PipelineOptions {
  readonly settings?: () => ReturnType<typeof someSettings>;
  readonly actorOf?: (userId: string) => Promise<Actor>;
  /** What the pipeline has in place of the store's own functions. */
  readonly overrides?: (store: ChangePorts["store"]) => Partial<ChangePorts["store"]>;
}

/** The pipeline on the embedded service and a real database. `build` makes another one on both, as another instance has it. */
export async function startPipeline({
  settings = () => someSettings(),
  actorOf = async () => anActor(),
  overrides = () => ({}),
}: PipelineOptions = {}) {
  const clock = { now: noon };
  const now = () => clock.now;
  const service = await startSandboxService({ now });
  onTestFinished(() => service.close());
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey });
  const store = await openTestStore();
  const used = { ...store, ...overrides(store) };
  let ids = 0;
  const build = () => {
    const changes = createChanges({
      ...{ store: used, service: client, settings, actorOf, now, log: quietLog },
      read: createReadService(client, store, now),
      secretFiles: { read: async () => ({ kind: "unreadable", reason: "there are none" }) },
      directory: directoryOn(used),
      people: peopleFrom(actorOf),
      withEmail: async () => undefined,
      newId: () => `chg-${++ids}`,
    });
    onTestFinished(() => changes.stop());
    return changes;
  };
  const changes = build();
  const context = () => aContext({ directory: directoryOn(store), now: clock.now });
  /** As Alice, in #ops. */
  const run = (command: ChangeCommand, input: Input, idempotencyKey = `command:${ids}`) =>
    changes.run({ command, input, context: context(), idempotencyKey });
  return { service, store, clock, changes, build, context, run };
}
