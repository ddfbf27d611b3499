import { expect, test } from "vitest";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { decide } from "../../src/permissions/decide.ts";
import { aRequest, hourMs } from "./build.ts";

const roles = `permissions:
  roles:
    engineer: { members: [U01ALICE], allow: [CreateActionExclusion, ModifyActionExclusion], where: { weeklyHours: 50 } }
    admin: { members: [U03CAROL, U04ERIN], allow: ["*"] }
    reader: { members: [U05FINN], allow: [reads], where: { weeklyHours: 5 } }
admins: { channel: C0ADMINS }
directory: { projects: [{ id: p-dev, name: Development }] }
`;
const read = (...budgets: string[]) => {
  const found = parseSettings(
    `${roles}budgets:\n${budgets.map((entry) => `  - { ${entry} }\n`).join("") || "  []"}`,
    "c.yaml",
  );
  if ("problems" in found) throw new Error(found.problems.join("\n"));
  return found;
};
const problemsOf = (budget: string) => {
  const found = parseSettings(`${roles}budgets:\n  - { ${budget} }\n`, "c.yaml");
  return "problems" in found ? found.problems : [];
};
const week = (soFar: number, added: number) => [
  { week: "this week", of: undefined, soFarMs: soFar * hourMs, added: [{ from: 0, to: added * hourMs }] },
];
const asked = (soFar: number, added: number, projectId = "p-dev") => aRequest({ projectId, hours: week(soFar, added) });
const ruleOf = (budgets: string[], request = asked(38, 5)) => {
  const { kind, rule } = decide(read(...budgets).settings.policy, request);
  return `${kind} by ${rule}`;
};

test("the strictest budget that is exceeded refuses, admins too", () => {
  expect(ruleOf(["weeklyHours: 43, then: refuse"])).toBe("allowed by permissions.roles.engineer.allow");
  expect(ruleOf(["weeklyHours: 42, then: refuse", "weeklyHours: 40, then: refuse"])).toBe("denied by budgets.1");
  expect(ruleOf(["weeklyHours: 40, then: warn", "projects: [p-x], weeklyHours: 40, then: refuse"])).toMatch(/^allowed/);
  const byCarol = { ...asked(38, 5), actor: { ...aRequest().actor, userId: "U03CAROL", groupIds: [] } };
  expect(ruleOf(["weeklyHours: 40, then: refuse"], byCarol)).toBe("denied by budgets.0");
});

test("a role's hours and unknown hours refuse", () => {
  expect(ruleOf([], asked(48, 3))).toBe("denied by permissions.roles.engineer.where.weeklyHours");
  expect(ruleOf([], aRequest())).toBe("denied by permissions.roles.engineer.where.weeklyHours");
  expect(decide(read().settings.policy, asked(48, 3))).toMatchObject({ latestEnd: 2 * hourMs });
});

test("a config with a budget that cannot be is refused, with its place", () => {
  expect(problemsOf("weeklyHours: 200, then: refuse")).toEqual([
    expect.stringMatching(/weeklyHours: a week has 168 hours/),
  ]);
  expect(problemsOf("weeklyHours: 40, then: stop")).toEqual([expect.stringMatching(/must say what happens then/)]);
  expect(problemsOf("weeklyHours: 40, then: approval, approvers: [admn]")).toEqual([
    expect.stringMatching(/unknown role "admn"; did you mean "admin"/),
  ]);
  expect(problemsOf("weeklyHours: 40, then: refuse, approvers: [admin]")).toEqual([
    expect.stringMatching(/unknown key "approvers"/),
  ]);
  expect(problemsOf("weeklyHours: 40, then: approval")).toEqual([expect.stringMatching(/approvers/)]);
});

test("settings without effect are found", () => {
  const { warning, error } = read(
    "weeklyHours: 40, then: refuse",
    "projects: [p-dev, p-dve], weeklyHours: 45, then: warn",
    "weeklyHours: 10, then: approval, approvers: [admin], count: 3",
  ).lint;
  expect(warning).toEqual([
    expect.stringMatching(/reader\.where\.weeklyHours: the role neither makes nor extends exclusions/),
    expect.stringMatching(/budgets\.1: it never applies: budgets\.0 refuses as many hours/),
    expect.stringMatching(/budgets\.1\.projects: directory\.projects does not list a project with the id p-dve/),
  ]);
  expect(error).toEqual([expect.stringMatching(/budgets\.2\.approvers: 3 must approve, and there are 2/)]);
});

test("a role with more hours, or without, is looser", () => {
  const withHours = (hours: string) => {
    const found = parseSettings(roles.replace("{ weeklyHours: 50 }", hours), "c.yaml");
    if ("problems" in found) throw new Error(found.problems.join("\n"));
    return found.settings;
  };
  const loosens = ["The role “engineer” loosens its condition “weeklyHours”."];
  expect(compareSettings(withHours("{ weeklyHours: 60 }"), withHours("{ weeklyHours: 50 }")).loosens).toEqual(loosens);
  expect(compareSettings(withHours("{}"), withHours("{ weeklyHours: 50 }")).loosens).toEqual(loosens);
  expect(compareSettings(withHours("{ weeklyHours: 40 }"), withHours("{ weeklyHours: 50 }")).loosens).toEqual([]);
});
