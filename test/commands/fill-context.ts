import { onTestFinished } from "vitest";
import type { FillContext } from "../../src/commands/command.ts";
import type { ResourceGroup } from "../../src/directory/directory.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import type { Action } from "../../src/sandbox/service/account.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { aContext, noon, someSettings } from "../changes/build.ts";
import { createTestClient } from "../service/test-client.ts";
import { createMemoryDirectory } from "./memory-directory.ts";

type Groups = Readonly<Record<string, ResourceGroup>>;

/** A context that reads the embedded service. `edits`: what differs in its actions, by their names. */
export async function aFillContext(
  resourceGroups: Groups,
  edits: Readonly<Record<string, Partial<Action>>> = {},
): Promise<FillContext> {
  const service = await startSandboxService({ now: () => noon });
  onTestFinished(() => service.close());
  const { actions } = service.account;
  for (const [id, action] of actions) actions.set(id, { ...action, ...edits[action.name] });
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey, retries: 0 });
  const directory = createMemoryDirectory([
    { kind: "project", id: "p-dev", body: { projectId: "p-dev", name: "Development" } },
  ]);
  return {
    ...aContext({ directory, settings: { ...someSettings(), resourceGroups } }),
    may: () => true,
    read: createReadService(client, directory, () => noon),
  };
}

/** A group of machines in Development; without actions they are not known. */
export const aGroup = (
  ids: readonly string[],
  actions?: readonly string[],
  facts: Partial<ResourceGroup> = {},
): ResourceGroup => ({
  ...{ type: "amazon-ec2-instance", project: "p-dev", ids },
  ...(actions ? { actions } : {}),
  ...facts,
});
