import { expect, test } from "vitest";
import { approvalsOf, holderMentions } from "../../src/slack/messages/facts.ts";

const role = (name: string, ...members: readonly string[]) => ({ role: name, members });

test.each([
  [[role("admin", "U1")], "<@U1>", "<@U1>", "2 of <@U1>"],
  [[role("admin", "U1"), role("deputy", "U2", "U1")], "<@U1> or <@U2>", "<@U1> or <@U2>", "2 of <@U1> or <@U2>"],
  [
    [role("admin", "U1", "S2")],
    "<@U1> or <!subteam^S2>",
    "one of <@U1> or <!subteam^S2>",
    "2 of <@U1> or <!subteam^S2>",
  ],
  [[], "somebody else", "somebody else", "2 of somebody else"],
])("%j are named as people", (holders, all, one, two) => {
  expect([holderMentions(holders), approvalsOf(holders, 1), approvalsOf(holders, 2)]).toEqual([all, one, two]);
});

test("of many people the first are still mentioned, and five roles of the others", () => {
  const roles = Array.from({ length: 7 }, (_, index) => role(`role-${index}`, `U${index}`));
  const said = approvalsOf([...roles, role("ops", "S1")], 1);
  expect(said.match(/<@U\d>/g)).toEqual(["<@U0>", "<@U1>", "<@U2>", "<@U3>", "<@U4>"]);
  expect(said).toMatch(/^one of .* or others of role-0, role-1, role-2, role-3, role-4 and 3 more roles$/);
});
