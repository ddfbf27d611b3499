import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { channelsFor } from "../../src/changes/announce.ts";
import type { Target } from "../../src/commands/command.ts";
import { otherPlacesOf } from "../../src/commands/exclusion/resource-claims.ts";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { approvalsFor } from "../../src/permissions/approval-rules.ts";
import { budgetsExceeded } from "../../src/permissions/budgets.ts";
import type { PermissionRequest } from "../../src/permissions/conditions.ts";
import { decide, limitsHeld, mayOffer } from "../../src/permissions/decide.ts";
import { aRequest, hourMs } from "./build.ts";

const groups = `resourceGroups:
  payments: { type: amazon-ec2-instance, project: p-dev, ids: [i-0a1, i-0a2] }
  ledger: { type: amazon-ec2-instance, project: p-dev, ids: [i-0b1, i-0a2] }
  orders: { type: amazon-rds-instance, project: p-prod, ids: ["arn:aws:rds:eu-west-1:1:db:orders"] }
admins: { channel: C0ADMINS }
`;
const team = (where: string, more = "") => `permissions:
  roles:
    team: { members: [U01ALICE], allow: ["*"], where: { ${where} } }
    admin: { members: [U03CAROL], allow: ["*"] }
    lead: { members: [U04ERIN, U05FINN], allow: [reads] }
${groups}${more}`;
function read(text: string) {
  const found = parseSettings(text, "c.yaml");
  if ("problems" in found) throw new Error(found.problems.join("\n"));
  return found;
}
const problemsOf = (text: string) => {
  const found = parseSettings(text, "c.yaml");
  return "problems" in found ? found.problems : [];
};
const policyOf = (text: string) => read(text).settings.policy;
const { policy: ofPayments } = read(team("groups: [payments]")).settings;
const kept = (ids: readonly string[], facts: Partial<PermissionRequest> = {}) =>
  aRequest({ resourceIds: ids, ...facts });
const isAllowed = (request: PermissionRequest, policy = ofPayments) => decide(policy, request).kind === "allowed";

describe("a role for a group", () => {
  test("allows what names only machines of it, in any case of their ids", () => {
    expect(isAllowed(kept(["i-0a1"]))).toBe(true);
    expect(isAllowed(kept(["I-0A1", "i-0a2"]))).toBe(true);
    expect(isAllowed(kept(["i-0a1", "i-0b1"]))).toBe(false);
    expect(isAllowed(kept(["i-0b1"]))).toBe(false);
  });

  test("allows nothing where the machines, their project or their type are not known", () => {
    for (const facts of [{ resourceIds: undefined }, { resourceIds: [] }])
      expect(isAllowed(aRequest(facts)), JSON.stringify(facts)).toBe(false);
    for (const facts of [{ projectId: undefined }, { projectId: "p-prod" }, { resourceType: undefined }])
      expect(isAllowed(kept(["i-0a1"], facts)), JSON.stringify(facts)).toBe(false);
    expect(isAllowed(kept(["i-0a1"], { resourceType: "amazon-ebs-volume" }))).toBe(false);
  });

  test("takes each machine in one of several groups, and does not mix two roles", () => {
    expect(isAllowed(kept(["i-0a1", "i-0b1"]), policyOf(team("groups: [payments, ledger]")))).toBe(true);
    const two = team("groups: [payments]").replace(
      "    admin:",
      "    other: { members: [U01ALICE], allow: [CreateActionExclusion], where: { groups: [ledger] } }\n    admin:",
    );
    expect(isAllowed(kept(["i-0b1"]), policyOf(two))).toBe(true);
    expect(isAllowed(kept(["i-0a1", "i-0b1"]), policyOf(two))).toBe(false);
  });

  test("does not take an ARN for the machine whose name is at its end", () => {
    const orders = policyOf(team("groups: [orders]"));
    const facts = { projectId: "p-prod", resourceType: "amazon-rds-instance" };
    expect(isAllowed(kept(["arn:aws:rds:eu-west-1:1:db:orders"], facts), orders)).toBe(true);
    expect(isAllowed(kept(["arn:aws:rds:us-east-1:2:db:orders"], facts), orders)).toBe(false);
    expect(isAllowed(kept(["orders"], facts), orders)).toBe(false);
  });

  test("holds together with projects", () => {
    expect(isAllowed(kept(["i-0a1"]), policyOf(team("groups: [payments], projects: [p-prod]")))).toBe(false);
  });

  test("reads in the project of the group alone", () => {
    const reads = (projectId: string | undefined) => aRequest({ operation: "ListActions", projectId });
    expect([reads(undefined), reads("p-dev"), reads("p-prod"), reads("")].map((each) => isAllowed(each))).toEqual([
      ...[true, true, false, false],
    ]);
  });

  test("changes nothing but exclusions, and is offered nothing else", () => {
    for (const operation of ["ModifyProject", "ModifyUser", "CreateManagedServicesPlan"] as const) {
      expect(isAllowed(aRequest({ operation }))).toBe(false);
      expect(mayOffer(ofPayments, aRequest({ operation, projectId: undefined }))).toBe(false);
    }
    expect(mayOffer(ofPayments, aRequest({ projectId: undefined }))).toBe(true);
    expect(mayOffer(ofPayments, aRequest())).toBe(true);
    expect(mayOffer(ofPayments, aRequest({ projectId: "p-prod" }))).toBe(false);
    expect(mayOffer(ofPayments, kept(["i-0a1"], { resourceType: undefined }))).toBe(true);
    expect(mayOffer(ofPayments, kept(["i-0b1"], { resourceType: undefined }))).toBe(false);
    expect(mayOffer(ofPayments, kept(["i-0b1"]))).toBe(false);
    expect(mayOffer(ofPayments, kept([]))).toBe(false);
  });

  test("says the group in refusals and limits", () => {
    expect(decide(ofPayments, kept(["i-0a1", "i-0b1"]))).toMatchObject({
      toActor: "You can keep machines running or off only for the group payments. i-0b1 is not in it.",
      reason:
        'The role "team" allows "Keep machines running or off" only for the group payments, and this is about i-0a1, i-0b1.',
      rule: "permissions.roles.team.where.groups",
      beyond: { how: "outside", what: "resource groups" },
      couldDo: [{ role: "admin", members: ["U03CAROL"] }],
    });
    expect(decide(ofPayments, kept([]))).toMatchObject({
      toActor: "You can keep machines running or off only for the group payments. This names no machine by its id.",
    });
    expect(limitsHeld(ofPayments, aRequest())).toEqual(["team: only for the group payments"]);
  });

  test("lists the budgets that may count something of it, and no others", () => {
    const ofOthers = ["groups: [orders]", "projects: [p-prod]"];
    const ofTheirs = ["groups: [payments]", "groups: [ledger]", "projects: [p-dev]"];
    const budgets = `budgets:\n${[...ofOthers, ...ofTheirs].map((scope) => `  - { ${scope}, weeklyHours: 40, then: refuse }\n`).join("")}`;
    const budgetsOf = (where: string) =>
      limitsHeld(policyOf(team(where, budgets)), aRequest({ projectId: undefined, resourceType: undefined })).flatMap(
        (line) => /budgets\.(\d)/.exec(line)?.[1] ?? [],
      );
    expect(budgetsOf("groups: [payments]")).toEqual(["2", "3", "4"]);
    expect(budgetsOf("projects: [p-prod]")).toEqual(["0", "1"]);
    expect(budgetsOf("accounts: [main]")).toEqual(["0", "1", "2", "3", "4"]);
  });
});

describe("an approval for a group", () => {
  const approvals = (...whens: readonly string[]) =>
    policyOf(
      team(
        "channels: [C0OPS]",
        `approvals:\n${whens.map((when) => `  - { operations: ["*"], approvers: [lead], when: { ${when} } }\n`).join("")}`,
      ),
    );
  const rulesFor = (policy: ReturnType<typeof approvals>, request: PermissionRequest) =>
    approvalsFor(policy, [request]).map(({ rule }) => rule);

  test("is needed if any machine is in it, by any of its names, or nobody knows which they are", () => {
    const policy = approvals("groups: [payments]");
    expect(rulesFor(policy, kept(["i-0c1", "I-0A1"]))).toEqual(["approvals.0"]);
    expect(rulesFor(policy, kept(["i-0c1"]))).toEqual([]);
    for (const request of [
      kept([]),
      aRequest(),
      aRequest({ projectId: undefined }),
      kept(["i-0a1"], { projectId: "P-DEV" }),
    ])
      expect(rulesFor(policy, request)).toEqual(["approvals.0"]);
    expect(rulesFor(policy, aRequest({ operation: "ModifyUser", projectId: undefined }))).toEqual(["approvals.0"]);
    const facts = { projectId: "p-prod", resourceType: "amazon-rds-instance" };
    const orders = approvals("groups: [orders]");
    for (const id of ["orders", "arn:aws:rds:us-east-1:2:db:orders"])
      expect(rulesFor(orders, kept([id], facts))).toEqual(["approvals.0"]);
  });

  test("is not replaced by the first entry of another machine beside it", () => {
    const policy = approvals("groups: [ledger]", "groups: [payments]");
    expect(rulesFor(policy, kept(["i-0b1", "i-0a1"]))).toEqual(["approvals.0", "approvals.1"]);
    expect(rulesFor(policy, kept(["i-0a2"]))).toEqual(["approvals.0"]);
  });
});

test("an edit that adds a machine needs the approval for its group in another project, as a new exclusion does", () => {
  const policy = policyOf(
    `${team("own: true")}approvals:\n  - { operations: ["*"], approvers: [admin], when: { groups: [orders] } }\n`,
  );
  const facts = { projectId: "p-dev", resourceType: "amazon-rds-instance" };
  const place = {
    id: "orders",
    source: "config",
    types: [],
    projectId: "p-prod",
    name: "orders",
    isPast: false,
  } as const;
  const rulesFor = (...own: [Target, ...Target[]]) =>
    approvalsFor(
      policy,
      [...own, ...otherPlacesOf(own, [place]).map(({ target }) => target)].map((target) => aRequest(target)),
    ).map(({ rule }) => rule);
  const [harmless, orders] = [["other"], ["orders"]].map((resourceIds) => ({ ...facts, resourceIds }));
  expect(orders && rulesFor(orders)).toEqual(["approvals.0"]);
  expect(harmless && orders && rulesFor(harmless, orders)).toEqual(["approvals.0"]);
});

test("a budget for a group counts its machines alone, and what names none", () => {
  const policy = policyOf(
    team("channels: [C0OPS]", "budgets: [{ groups: [payments], weeklyHours: 10, then: refuse }]\n"),
  );
  const hours = (of: string | undefined, added: number) => [
    { week: "this week", of, soFarMs: 0, added: [{ from: 0, to: added * hourMs }] },
  ];
  const isOver = (request: PermissionRequest) => budgetsExceeded(policy, request, "refuse").length > 0;
  expect(isOver(kept(["i-0a1"], { hours: hours(undefined, 11) }))).toBe(true);
  expect(isOver(kept(["i-0c1"], { hours: hours(undefined, 11) }))).toBe(false);
  const both = (of: string) => kept(["i-0a1", "i-0c1"], { hours: hours(of, 11) });
  expect([isOver(both("i-0a1")), isOver(both("i-0c1"))]).toEqual([true, false]);
  expect(isOver(kept([], { hours: undefined }))).toBe(true);
  expect(decide(policy, kept(["i-0a1"], { hours: hours(undefined, 11) }))).toMatchObject({ rule: "budgets.0" });
});

describe("the config check", () => {
  test.each([
    ["where", team("groups: [paymints]"), "c.yaml:3:66 permissions.roles.team.where.groups.0"],
    [
      "approvals",
      team("own: true", 'approvals: [{ operations: ["*"], approvers: [lead], when: { groups: [paymints] } }]'),
      "approvals.0.when",
    ],
    [
      "budgets",
      team("own: true", "budgets: [{ groups: [paymints], weeklyHours: 1, then: warn }]"),
      "budgets.0.groups.0",
    ],
    [
      "announce",
      team("own: true", 'announce: [{ operations: ["*"], channel: C0OPS, groups: [paymints] }]'),
      "announce.0",
    ],
    ["warnings", team("own: true", "warnings: [{ channel: C0OPS, groups: [paymints] }]"), "warnings.0"],
    ["digest", team("own: true", "digest: { channel: C0OPS, groups: [paymints] }"), "digest"],
  ])("refuses an unknown group in %s, with the nearest name and what counts", (_, text, path) => {
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(
        /unknown resource group "paymints"; did you mean "payments"\? \(rules name groups of resourceGroups, never saved ones\)$/,
      ),
    ]);
    expect(problemsOf(text)[0]).toContain(path);
  });

  test("takes lists and anchors for groups", () => {
    const text = team("groups: [$mine, ledger]", "lists: { mine: [payments] }\n");
    expect(isAllowed(kept(["i-0a1", "i-0b1"]), policyOf(text))).toBe(true);
  });

  test("reports a role that changes nothing, and warnings of a group of which no runs are known", () => {
    const role = team("groups: [payments]").replace('allow: ["*"], where', "allow: [reads, ModifyProject], where");
    expect(read(role).lint.error).toEqual([
      expect.stringContaining("where.groups: only exclusions name machines, and the role allows none"),
    ]);
    const users = team("groups: [payments]").replace('allow: ["*"], where', "allow: [ModifyUser], where");
    expect(read(users).lint.error[0]).toContain("where.groups: users have none");
    expect(read(team("own: true", "warnings: [{ channel: C0OPS, groups: [payments] }]\n")).lint.error).toEqual([
      expect.stringContaining("warnings.0.groups: payments has no actions in resourceGroups"),
    ]);
  });

  test("reports rules for a group that has only match, whose machines count for none", () => {
    const matching = (rest: string) =>
      `${team("groups: [payments]", rest)}`.replace("ids: [i-0a1, i-0a2] }", 'match: "pay-*" }');
    const only = "payments has only match, and rules count ids and imported machines alone";
    const rest = `approvals:
  - { operations: [CreateActionExclusion], approvers: [admin, lead], when: { groups: [payments, ledger] } }
announce: [{ operations: ["*"], channel: C0OPS, groups: [payments] }]
budgets: [{ groups: [payments], weeklyHours: 4, then: refuse }]
digest: { channel: C0OPS, groups: [payments] }
`;
    const found = read(matching(rest)).lint.error.filter((each) => each.includes("only match"));
    expect(found.map((each) => / (\S+): (.*):/.exec(each)?.slice(1))).toEqual([
      ["permissions.roles.team.where.groups", only],
      ["approvals.0.when.groups", only],
      ["announce.0.groups", only],
      ["budgets.0.groups", only],
      ["digest.groups", only],
    ]);
    const listed = matching(rest).replace('match: "pay-*" }', 'match: "pay-*", imported: true }');
    expect(read(listed).lint.error.filter((each) => each.includes("only match"))).toEqual([]);
  });

  test("finds entries that others make needless, and no others", () => {
    const lintOf = (more: string) => {
      const { error, warning } = read(team("own: true", more)).lint;
      return [...error, ...warning].filter((each) => /never applies|already/.test(each)).length;
    };
    const approvals = (...whens: readonly string[]) =>
      `approvals:\n${whens.map((when) => `  - { operations: [CreateActionExclusion, ModifyActionExclusion], approvers: [lead], when: { ${when} } }\n`).join("")}`;
    expect(lintOf(approvals("groups: [payments, ledger]", "groups: [ledger]"))).toBe(1);
    expect(lintOf(approvals("projects: [p-dev]", "groups: [ledger]"))).toBe(1);
    expect(lintOf(approvals("groups: [payments]", "groups: [ledger]"))).toBe(0);
    expect(lintOf(approvals("groups: [payments]", "projects: [p-dev]"))).toBe(0);
    const announce = (one: string, other: string) =>
      `announce: [{ operations: ["*"], channel: C0OPS${one} }, { operations: ["*"], channel: C0OPS${other} }]\n`;
    expect(lintOf(announce("", ", groups: [ledger]"))).toBe(1);
    expect(lintOf(announce(", groups: [ledger]", ""))).toBe(0);
    expect(lintOf(announce(", groups: [ledger]", ", groups: [payments]"))).toBe(0);
  });
});

describe("a changed config", () => {
  const compared = (next: string, old: string) => compareSettings(read(next).settings, read(old).settings);
  const both = team("groups: [payments, ledger]");

  test("is tighter with fewer groups, and looser with more, with other machines or without the condition", () => {
    const fewer = compared(team("groups: [payments]"), both);
    expect(fewer).toEqual({ loosens: [], tightens: ["permissions.roles.team.where.groups"] });
    expect(compared(both, team("groups: [payments]")).loosens).toEqual([
      "The role “team” loosens its condition “groups”.",
    ]);
    expect(compared(team("own: true"), team("own: true, groups: [payments]")).loosens).toHaveLength(1);
    const more = both.replace("ids: [i-0a1, i-0a2]", "ids: [i-0a1, i-0a2, i-0c1]");
    expect(compared(more, both).loosens).toEqual([
      "resourceGroups says something else of payments.",
      "The role “team” loosens its condition “groups”.",
    ]);
    // A machine that no group names any more may be said to be elsewhere.
    const less = both.replace("ids: [i-0a1, i-0a2]", "ids: [i-0a2]");
    expect(compared(less, both)).toEqual({
      loosens: ["resourceGroups says something else of payments."],
      tightens: ["permissions.roles.team.where.groups"],
    });
  });

  test("says that an approval, a budget or a route names other groups, or other machines", () => {
    const approvals = (groupNames: string) =>
      team(
        "own: true",
        `approvals: [{ operations: [ModifyProject], approvers: [lead], when: { groups: [${groupNames}] } }]\n`,
      );
    expect(compared(approvals("payments"), approvals("payments, ledger")).loosens).toEqual([
      "approvals.0.when.groups no longer has ledger.",
    ]);
    const budget = (name: string) =>
      team("own: true", `budgets: [{ groups: [${name}], weeklyHours: 9, then: refuse }]\n`);
    expect(compared(budget("ledger"), budget("payments")).loosens).toEqual([
      "budgets.0.groups also has ledger, and no longer has payments.",
    ]);
    const others = budget("payments").replace("ids: [i-0a1, i-0a2]", "ids: [i-0a2]");
    expect(compared(others, budget("payments")).loosens).toContain("budgets.0.groups has other machines in them.");
  });
});

test("the recipe for a company holds sixty team channels in twelve projects in forty lines", () => {
  const document = readFileSync("manifest/PERMISSIONS.md", "utf8");
  const [, recipe = ""] = /\*\*A company: .*?```yaml\n(.*?)```/s.exec(document) ?? [];
  expect(recipe.split("\n").length).toBeLessThanOrEqual(41);
  const { settings } = read(`${recipe}admins: { channel: C0ADMINS }\n`);
  const { policy, announce } = settings;
  const teams = policy.roles.filter(({ where }) => where.projects);
  const channels = new Set(teams.flatMap(({ where }) => [...(where.channels ?? [])]));
  expect([teams.length, channels.size]).toEqual([12, 60]);
  const by = (group: string, channelId: string, projectId: string, ids: readonly string[]) => {
    const actor = { ...aRequest().actor, userId: "U0SOMEBODY", groupIds: [group] };
    const request = kept(ids, { actor, channelId, projectId });
    const { kind } = decide(policy, request);
    return kind === "denied" ? kind : [kind, ...approvalsFor(policy, [request]).map(({ rule }) => rule)].join(" by ");
  };
  expect(by("S0SHOP", "C0CART", "p-shop", ["i-0c1"])).toBe("allowed");
  expect(by("S0SHOP", "C0LEDGER", "p-shop", ["i-0c1"])).toBe("denied");
  expect(by("S0SHOP", "C0CART", "p-pay", ["i-0a1"])).toBe("denied");
  expect(by("S0PAY", "C0CARDS", "p-pay", ["i-0c1"])).toBe("allowed");
  expect(by("S0PAY", "C0CARDS", "p-pay", ["i-0c1", "i-0a1"])).toBe("allowed by approvals.0");
  expect(by("S0PAY", "C0CARDS", "p-pay", [])).toBe("allowed by approvals.0");
  expect(by("S0CONTRACTORS", "C0LEDGER", "p-pay", ["i-0b1"])).toBe("allowed by approvals.0");
  expect(by("S0CONTRACTORS", "C0LEDGER", "p-pay", ["i-0b1", "i-0a1"])).toBe("denied");
  const announced = (projectId: string, resourceIds: readonly string[]) => [
    ...channelsFor(announce, [{ projectId, resourceType: "amazon-ec2-instance", resourceIds }]),
  ];
  expect(announced("p-shop", ["i-0c1"])).toEqual(["C0SHOP"]);
  expect(announced("p-pay", ["i-0c1"])).toEqual(["C0PAY"]);
  expect(announced("p-pay", ["i-0a2"])).toEqual(["C0OWNERS", "C0PAY"]);
});
