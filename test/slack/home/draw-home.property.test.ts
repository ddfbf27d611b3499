import fc from "fast-check";
import { expect, test } from "vitest";
import { createQueries } from "../../../src/changes/queries/queries.ts";
import { catalogue } from "../../../src/commands/catalogue.ts";
import { liveMentions, parseMrkdwn } from "../../../src/sandbox/workspace/render/mrkdwn.ts";
import { isViewTooLarge, validateView } from "../../../src/sandbox/workspace/validate/validate-view.ts";
import { drawHome } from "../../../src/slack/home/draw-home.ts";
import type { Desk } from "../../../src/slack/listeners/desk.ts";
import { usageOf } from "../../../src/slack/messages/usage.ts";
import { aChange, anExclusion, quietLog } from "../../changes/build.ts";
import { createMemoryDirectory } from "../../commands/memory-known.ts";
import { anActor } from "../../permissions/build.ts";
import { createMemoryGroups } from "../../support/memory-groups.ts";
import { anyChange, changeCommands } from "../any-change.ts";
import { hostileText, mrkdwnIn } from "../hostile-text.ts";
import { startDesk } from "../start-desk.ts";

const ids = fc.uniqueArray(hostileText, { maxLength: 40 });
const texts = fc.array(hostileText, { minLength: 1, maxLength: 6 });
const some = fc.record({
  ids,
  texts,
  changes: fc.array(
    fc.constantFrom(...changeCommands).chain((one) => anyChange(one)),
    { maxLength: 20 },
  ),
});
type Some = typeof some extends fc.Arbitrary<infer S> ? S : never;

/** Carol's desk, in a world where everything is called what nothing should be. */
function deskAmong(desk: Desk, { ids: all, texts: [text = "x", ...more], changes }: Some): Desk {
  const directory = createMemoryDirectory(
    all.map((id, index) => ({
      kind: "exclusion",
      id,
      body: anExclusion({ actionExclusionId: id, name: text, resourceIds: [text, ...more], projectId: text }),
      ownerId: index % 2 === 0 ? "U03CAROL" : "U01ALICE",
    })),
  );
  const queries = createQueries({
    log: quietLog,
    store: { list: async () => changes, transitions: async () => [], waiting: async () => changes },
    groups: createMemoryGroups(),
    newId: () => "chg-1",
    wake: () => undefined,
    planUndo: desk.changes.planUndo,
    settings: desk.settings,
    read: desk.read,
    actor: async () => anActor(),
    helpFor: (command) => usageOf("/curfew", command),
    commands: catalogue,
  });
  return { ...desk, directory, queries };
}

test("whatever things are called, Slack takes the Home tab, and it mentions nobody", async () => {
  const { desk } = await startDesk();
  await fc.assert(
    fc.asyncProperty(some, async (world) => {
      const view = await drawHome(deskAmong(desk, world), "U03CAROL");
      expect(validateView(view)).toEqual([]);
      expect(isViewTooLarge(view)).toBe(false);
      for (const { text, verbatim } of mrkdwnIn(view)) {
        expect(liveMentions(text)).toEqual([]);
        expect(parseMrkdwn(text).filter(({ kind }) => kind === "link")).toEqual([]);
        expect(verbatim).toBe(true);
      }
    }),
    { numRuns: 15 },
  );
});

test("however much there is, it fits, and what is left out is counted", async () => {
  const { desk } = await startDesk();
  const ids = Array.from({ length: 400 }, (_, index) => `aex-${index}`);
  const changes = ids.slice(0, 15).map((id) => aChange({ id, state: "succeeded", answer: anExclusion() }));
  const view = await drawHome(deskAmong(desk, { ids, texts: ["x"], changes }), "U03CAROL");
  expect(view.blocks.length).toBeGreaterThan(60);
  expect(view.blocks.length).toBeLessThanOrEqual(100);
  expect(validateView(view)).toEqual([]);
  expect(JSON.stringify(view)).toMatch(/… and 19\d more\./);
});
