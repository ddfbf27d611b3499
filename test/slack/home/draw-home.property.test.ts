import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isViewTooLarge, validateView } from "../../../src/sandbox/workspace/blocks.ts";
import { parseMrkdwn } from "../../../src/sandbox/workspace/mrkdwn.ts";
import { drawHome, type HomeSources } from "../../../src/slack/home/draw-home.ts";
import { createPublishHome } from "../../../src/slack/home/homes.ts";
import { aChange, anExclusion } from "../../changes/build.ts";
import { createMemoryDirectory } from "../../commands/memory-directory.ts";
import { anActor } from "../../permissions/build.ts";
import { createEmptyQueries } from "../../support/empty-queries.ts";
import { liveMentions } from "../../support/read-mrkdwn.ts";
import { anyChange, changeCommands } from "../any-change.ts";
import { hostileText, mrkdwnIn } from "../hostile-text.ts";
import { startListening } from "../start-listening.ts";

const ids = fc.uniqueArray(hostileText, { maxLength: 40 });
const texts = fc.array(hostileText, { minLength: 1, maxLength: 6 });
const anyWorld = fc.record({
  ids,
  texts,
  changes: fc.array(
    fc.constantFrom(...changeCommands).chain((one) => anyChange(one)),
    { maxLength: 20 },
  ),
});
type Listening = Awaited<ReturnType<typeof startListening>>;
type World = typeof anyWorld extends fc.Arbitrary<infer W> ? W : never;

/** Carol's Home tab, in an account where everything has a hostile name. */
function sourcesWith(
  { ports, contextIn }: Listening,
  { ids: all, texts: [text = "x", ...more], changes }: World,
): HomeSources {
  const directory = createMemoryDirectory(
    all.map((id, index) => ({
      kind: "exclusion",
      id,
      body: anExclusion({ actionExclusionId: id, name: text, resourceIds: [text, ...more], projectId: text }),
      ownerId: index % 2 === 0 ? "U03CAROL" : "U01ALICE",
    })),
  );
  const queries = createEmptyQueries({
    store: { list: async () => changes, waiting: async () => changes },
    ...{ planUndo: ports.changes.planUndo, settings: ports.settings, read: ports.read },
    withEmail: async () => anActor(),
  });
  const contextOf = contextIn(directory);
  return { ...ports, queries, contextFor: (userId, channelId) => contextOf({ userId, channelId }) };
}

test("the Home tab is valid and mentions nobody, with any names", async () => {
  const listening = await startListening();
  await fc.assert(
    fc.asyncProperty(anyWorld, async (world) => {
      const view = await drawHome(sourcesWith(listening, world), "U03CAROL");
      expect(validateView(view)).toEqual([]);
      expect(isViewTooLarge(view)).toBe(false);
      for (const { text, verbatim } of mrkdwnIn(view)) {
        // An exclusion names its owner.
        expect(liveMentions(text).filter((mention) => !mention.includes("U01ALICE"))).toEqual([]);
        expect(parseMrkdwn(text).filter(({ kind }) => kind === "link")).toEqual([]);
        expect(verbatim).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});

test("the Home tab fits the limits and counts what it leaves out", async () => {
  const listening = await startListening();
  const ids = Array.from({ length: 400 }, (_, index) => `aex-${index}`);
  const changes = ids.slice(0, 15).map((id) => aChange({ id, state: "succeeded", answer: anExclusion() }));
  const view = await drawHome(sourcesWith(listening, { ids, texts: ["x"], changes }), "U03CAROL");
  expect(view.blocks.length).toBeLessThanOrEqual(15);
  expect(validateView(view)).toEqual([]);
  expect(JSON.stringify(view)).toMatch(/\*Yours\* · 5 of 200/);
});

test("of many tabs opened together a few are drawn at a time", async () => {
  const listening = await startListening();
  const sources = sourcesWith(listening, { ids: ["aex-1"], texts: ["x"], changes: [] });
  let [drawn, most] = [0, 0];
  const publish = createPublishHome({
    ...sources,
    contextFor: async (...of) => {
      most = Math.max(most, ++drawn);
      await nextTurn();
      drawn--;
      return sources.contextFor(...of);
    },
  });
  await Promise.all(Array.from({ length: 20 }, () => publish("U03CAROL")));
  expect(most).toBe(8);
});

test("each list is waited for at most three seconds, also of many tabs", async () => {
  const listening = await startListening();
  const sources = sourcesWith(listening, { ids: ["aex-1"], texts: ["x"], changes: [] });
  const queries = { ...sources.queries, run: () => new Promise<never>(() => undefined) };
  const publish = createPublishHome({ ...sources, queries });
  const began = performance.now();
  await Promise.all(Array.from({ length: 8 }, () => publish("U03CAROL")));
  expect(performance.now() - began).toBeLessThan(5000);
});

test("a slow service leaves no list unread", async () => {
  const listening = await startListening();
  const sources = sourcesWith(listening, { ids: ["aex-1"], texts: ["x"], changes: [] });
  const view = await drawHome(
    {
      ...sources,
      queries: {
        ...sources.queries,
        run: async (...of) => {
          await delay(1000);
          return sources.queries.run(...of);
        },
      },
    },
    "U03CAROL",
  );
  expect(JSON.stringify(view)).not.toContain("Curfew could not load");
});
