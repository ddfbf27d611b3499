import fc from "fast-check";
import { expect, test } from "vitest";
import type { ResourceGroup } from "../../src/directory/directory.ts";
import {
  actionsByGroup,
  alikeAmong,
  allAlike,
  allGroups,
  groupCalled,
  groupsListing,
  groupsListingAll,
  groupsNaming,
  groupsPlacing,
  groupsWithAny,
  someGroups,
} from "../../src/directory/group-index.ts";
import { actionsNamed } from "../../src/service/action-types.ts";
import { resourceKeys } from "../../src/service/resources.ts";

const id = fc.constantFrom("i-0a1", "I-0a1", "i-0b2", "orders", "arn:aws:rds:eu-west-1:123456789012:db:orders");
const word = fc.constantFrom("a-1", "A-1", "nightly", "Stop web", "stop WEB");
const group: fc.Arbitrary<ResourceGroup> = fc.record(
  {
    type: fc.constantFrom("amazon-ec2-instance", "amazon-rds-instance"),
    project: fc.constantFrom("p-dev", "p-prod"),
    ids: fc.array(id, { minLength: 1, maxLength: 4 }),
    actions: fc.array(word, { maxLength: 3 }),
  },
  { requiredKeys: ["type", "project", "ids"] },
);
const named = fc.dictionary(fc.constantFrom("web", "Web", "db", "qa", "constructor"), group);
const action = fc
  .record({ id: fc.constantFrom("a-1", "a-2"), name: word, tags: fc.array(word), project: fc.constantFrom("p-dev") })
  .map(({ id: actionId, project: projectId, ...each }) => ({ actionId, projectId, ...each }));

test("finds the groups of machines and actions as a look at each group does", () => {
  fc.assert(
    fc.property(named, named, fc.array(id), fc.array(action), (saved, ofConfig, ids, actions) => {
      const whole = allGroups(saved, ofConfig);
      expect(allGroups(saved, ofConfig)).toBe(whole);
      for (const groups of [whole, someGroups(whole, ({ project }) => project === "p-dev")]) {
        const where = (isMeant: (group: ResourceGroup) => boolean) =>
          Object.entries(groups).filter(([, each]) => isMeant(each));
        const keys = new Set(ids.flatMap(resourceKeys));
        expect(groupsWithAny(ids, groups)).toEqual(
          where((each) => each.ids.flatMap(resourceKeys).some((key) => keys.has(key))),
        );
        expect(groupsListingAll(ids, groups)).toEqual(
          where((each) => ids.length > 0 && ids.every((one) => each.ids.includes(one))),
        );
        for (const one of ids) {
          const [key, ...bare] = resourceKeys(one);
          const placing = groupsPlacing(one, whole);
          const listing = (isMeant: (id: string) => boolean) =>
            Object.entries(whole).filter(([, each]) => each.ids.some(isMeant));
          expect(placing.exact).toEqual(listing((listed) => listed.toLowerCase() === key));
          const isAlike = (listed: string) => {
            const [own, ...atEnd] = resourceKeys(listed);
            return bare.length === 0 ? atEnd.includes(key) : atEnd.length === 0 && bare.includes(own);
          };
          expect(placing.alike).toEqual(listing(isAlike));
        }
        for (const one of ids) expect(groupsListing(one, groups)).toEqual(where((each) => each.ids.includes(one)));
        expect(groupsNaming(actions, groups)).toEqual(where((each) => actionsNamed(each, actions).length > 0));
        const actionsOf = actionsByGroup(actions);
        for (const each of Object.values(groups)) expect(actionsOf(each)).toEqual(actionsNamed(each, actions));
      }
    }),
    { numRuns: 300 },
  );
});

test("puts machines of the same groups together, as a look at each machine does", () => {
  fc.assert(
    fc.property(named, named, (saved, ofConfig) => {
      const whole = allGroups(saved, ofConfig);
      const ids = [...new Set(Object.values(whole).flatMap((each) => each.ids))];
      const holding = (one: string) => groupsWithAny([one], whole).map(([name]) => name);
      const listing = (one: string) => groupsListing(one, whole).map(([name]) => name);
      for (const groups of [whole, someGroups(whole, ({ project }) => project === "p-dev")]) {
        const all = allAlike(groups);
        expect(allAlike(groups)).toBe(all);
        expect(all.flatMap((each) => each.ids).sort()).toEqual([...ids].sort());
        for (const each of all)
          for (const one of each.ids) {
            expect(each.groups.map(([name]) => name)).toEqual(holding(one));
            expect(each.listedBy).toEqual(listing(one));
          }
        const keys = alikeAmong([...ids, ...ids], groups).map((each) => each.groups.map(([name]) => name).join());
        expect([new Set(keys).size, new Set(keys)]).toEqual([
          keys.length,
          new Set(ids.map((one) => holding(one).join())),
        ]);
      }
    }),
    { numRuns: 300 },
  );
});

test("a group of the config file takes precedence over a saved one, and no word is a group by accident", () => {
  const [mine, theirs] = [
    { type: "amazon-ec2-instance", project: "p-dev", ids: ["i-0a1"] },
    { type: "amazon-ec2-instance", project: "p-prod", ids: ["i-0b2"] },
  ] as const;
  const groups = allGroups({ web: mine, db: mine }, { Web: theirs });
  expect(groupCalled("WEB", groups)).toEqual(["web", theirs]);
  expect(groupCalled("db", groups)).toEqual(["db", { ...mine, isSaved: true }]);
  expect(groupCalled("constructor", groups)).toBeUndefined();
});
