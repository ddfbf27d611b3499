import { expect, onTestFinished, test } from "vitest";
import { createDirectory } from "../../src/directory/action-directory.ts";
import type { Directory, NewEntity } from "../../src/directory/directory.ts";
import { createReadService } from "../../src/directory/read-service.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { createTestClient } from "../service/test-client.ts";
import { cpuMsOf, leastMs } from "../support/cpu-time.ts";
import { openTestStore } from "./open-test-store.ts";

const many = 10_000;
const tries = 10;
/** What a form asks for, of which it shows what its reader may know of. */
const asked = 1000;

/** The typed text, and the name of an entity that it finds. */
const searched = [
  ["user", "number 7777@", "person number 7777"],
  ["project", "number 7777", "Project number 7777"],
  ["action", "number 7777", "Action number 7777"],
] as const;

test("a search as one types answers without reading all of ten thousand users, projects and actions", async () => {
  const directory = await crowdedDirectory();
  for (const [kind, text, name] of searched) {
    expect((await directory.search(kind, text, asked)).map((thing) => thing.name)).toContain(name);
    // Reading all of them takes more than ten times as long; a space, since all of them are remembered as such.
    const mostMs = Math.max(leastMs, (await cpuMsOf(() => directory.search(kind, " ", many), 3)) / 2);
    for (const query of ["", "n", text, "nothing of the kind"]) {
      const ms = await cpuMsOf(() => directory.search(kind, query, asked), tries);
      expect(ms, `${kind} “${query}”`).toBeLessThan(mostMs);
    }
    const ms = await cpuMsOf(() => directory.match(kind, name), tries);
    expect(ms, `${kind} called “${name}”`).toBeLessThan(mostMs);
  }
});

async function crowdedDirectory(): Promise<Directory> {
  const service = await startSandboxService();
  onTestFinished(() => service.close());
  const { actions } = service.account;
  const [like] = actions.values();
  if (!like) throw new Error("The account has no action.");
  for (const index of Array(many).keys()) {
    const actionId = `a-${index}`;
    actions.set(actionId, { ...like, actionId, name: `Action number ${index}`, schedule: { scheduleType: "none" } });
  }
  const store = await openTestStore(undefined, { isToRun: true });
  await store.configure([...Array(many).keys()].flatMap(twoEntities));
  const { client } = createTestClient(service.baseUrl, { apiKey: service.apiKey });
  const directory = createDirectory(
    store,
    createReadService(client, store, () => 0),
    async () => [],
  );
  await directory.search("action", "", 1);
  return directory;
}

function twoEntities(index: number): readonly NewEntity[] {
  const username = `person number ${index}`;
  const user = { userId: `u-${index}`, username, emailAddress: `number ${index}@example.com`, managedPolicies: [] };
  const project = { projectId: `p-${index}`, name: `Project number ${index}`, status: "active" };
  return [
    { kind: "user", id: user.userId, body: user },
    { kind: "project", id: project.projectId, body: project },
  ];
}
