import { statSync, utimesSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { compareSettings } from "../../src/config/compare-settings.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import type { Settings } from "../../src/config/settings.ts";
import { approvalFor } from "../../src/permissions/approval-rules.ts";
import type { PermissionRequest } from "../../src/permissions/conditions.ts";
import { decide } from "../../src/permissions/decide.ts";
import { operationNames } from "../../src/service/operations.ts";
import { anActor } from "../permissions/build.ts";
import { type FollowOptions, followFile } from "../support/follow-file.ts";
import { wholeExample } from "../support/start-curfew.ts";

/** An app that records what it is asked for. */
function notingApp() {
  const did: string[] = [];
  const taken: Settings[] = [];
  const app: App = {
    start: async () => ({ port: 0 }),
    watch: async () => undefined,
    idle: async () => undefined,
    reload: async (settings) => void taken.push(settings),
    holdConfig: ({ loosens }) => void did.push(`hold: ${loosens.join(" ")}`),
    noteInvalid: () => undefined,
    dropConfig: async () => void did.push("drop"),
    notify: async (text, icon) => void did.push(`${icon} ${text}`),
    report: async (text) => void did.push(`report: ${text}`),
    reportMended: async (text) => void did.push(`mended: ${text}`),
    stop: async () => undefined,
  };
  return { app, did, taken };
}

async function following(config: string, options?: FollowOptions) {
  const noting = notingApp();
  const followed = await followFile(noting.app, config, options);
  onTestFinished(() => followed.stop());
  return { ...noting, ...followed };
}

const settingsIn = (text: string): Settings | undefined => {
  const parsed = parseSettings(text, "curfew.yaml");
  return "problems" in parsed ? undefined : parsed.settings;
};

/** The example as far as each part of it is a config of its own. */
const plain = wholeExample.replace(/^ {6}mayAsk: .*\n/m, "");

/** The example's sections in every rotation, so that each is last once; without the explanatory ones. */
const sections = wholeExample
  .replace(/^ *#.*\n|^\n/gm, "")
  .split(/^(?=[a-z][A-Za-z]*:)/m)
  .filter((text) => /^[a-z]/.test(text));
const orders = sections.map((section, first) => ({
  firstLine: section.split("\n")[0],
  whole: [...sections.slice(first), ...sections.slice(0, first)].join(""),
}));

const people = ["U01ALICE", "U02BOB", "U03CAROL", "U04DAVE"].map((userId) =>
  anActor({ userId, groupIds: userId === "U01ALICE" ? ["S0ENGINEERS"] : [] }),
);
const probes: readonly PermissionRequest[] = people.flatMap((actor) =>
  operationNames.flatMap((operation) =>
    ["C0OPS", null].flatMap((channelId) =>
      [3_600_000, 99 * 3_600_000].map((exclusionLengthMs) => ({
        ...{ actor, operation, channelId, exclusionLengthMs, projectId: "p-dev", isOwn: false },
        resourceType: "amazon-ec2-instance",
      })),
    ),
  ),
);

/** Each probe that may act under these settings without the approval or permission that it needed. */
const gains = (next: Settings, old: Settings): boolean =>
  probes.some((probe) => {
    if (decide(next.policy, probe).kind === "denied") return false;
    if (decide(old.policy, probe).kind === "denied") return true;
    return approvalFor(old.policy, probe) !== undefined && approvalFor(next.policy, probe) === undefined;
  });

describe("a truncated config", () => {
  test.each(orders)("never loosens anything silently, wherever it is cut, starting with $firstLine", ({ whole }) => {
    const old = settingsIn(whole);
    if (!old) throw new Error("The whole config cannot be read.");
    const lines = whole.split("\n").map((_line, index, all) => all.slice(0, index).join("\n").length);
    const bytes = fc.sample(fc.nat(whole.length), { numRuns: 25, seed: 7 });
    const cuts = [...lines, ...bytes].flatMap((end) => settingsIn(whole.slice(0, end)) ?? []);
    const gaining = cuts.filter((next) => gains(next, old));
    expect(gaining.filter((next) => compareSettings(next, old).loosens.length === 0)).toEqual([]);
    // Otherwise the test would prove nothing.
    expect(cuts.length).toBeGreaterThan(0);
    if (whole.startsWith("permissions")) expect(gaining.length).toBeGreaterThan(3);
  });

  test("waits for the admins when it lost its approvals, and is dropped when the rest arrives", async () => {
    const { did, taken, write } = await following(plain);
    write(plain.slice(0, plain.indexOf("approvals:")));
    await vi.waitFor(() => expect(did.join("\n")).toContain("RemoveUserMfa no longer needs approval"));
    write(plain);
    await vi.waitFor(() => expect(did.at(-1)).toBe("drop"));
    expect(taken).toEqual([]);
  });
});

describe("a config that is being copied", () => {
  /** Waits for the test between two polls. */
  async function lookedAt() {
    const waiting: (() => void)[] = [];
    const pause = () => new Promise<void>((resolve) => void waiting.push(resolve));
    const followed = await following(wholeExample, { pause });
    const hasLooked = () => vi.waitFor(() => expect(waiting).toHaveLength(1));
    const go = () => waiting.shift()?.();
    onTestFinished(() => go());
    return { ...followed, hasLooked, go };
  }
  const half = plain.slice(0, plain.indexOf("    helpdesk:"));
  const whole = plain.replace("perPersonPerMinute: 30", "perPersonPerMinute: 7");

  test("is applied only when two polls agree", async () => {
    const { taken, did, write, hasLooked, go } = await lookedAt();
    for (const text of [half, `${half}    # more`, whole]) {
      write(text);
      go();
      await hasLooked();
    }
    expect([taken, did]).toEqual([[], []]);
    go();
    await vi.waitFor(() => expect(taken.map(({ limits }) => limits.perPersonPerMinute)).toEqual([7]));
    await vi.waitFor(() => expect(did).toEqual([expect.stringContaining(":lock:")]));
  });

  test("is not applied on SIGHUP while it grows", async () => {
    const { taken, write, reload, hasLooked, go } = await lookedAt();
    write(half);
    const reloaded = reload();
    await hasLooked();
    expect(taken).toEqual([]);
    write(whole);
    go();
    await hasLooked();
    expect(taken).toEqual([]);
    go();
    await reloaded;
    expect(taken.map(({ policy }) => policy.roles.length)).toEqual([4]);
  });

  test("is noticed even when its size and time stay the same", async () => {
    const { file, taken, write } = await following(wholeExample);
    const { atime, mtime } = statSync(file);
    write(wholeExample.replace("perPersonPerMinute: 30", "perPersonPerMinute: 7 "));
    utimesSync(file, atime, mtime);
    await vi.waitFor(() => expect(taken.map(({ limits }) => limits.perPersonPerMinute)).toEqual([7]));
  });

  test("is polled again after a start that read half of it", async () => {
    const { taken } = await following(`${half}\nadmins: { channel: C0ADMINS }\n`, {
      written: `${half}\nadmins: { channel: C0ADMINS }\nlimits: { perPersonPerMinute: 3 }\n`,
    });
    await vi.waitFor(() => expect(taken.map(({ limits }) => limits.perPersonPerMinute)).toEqual([3]));
  });
});

describe("a changed config", () => {
  const replaced = (from: string, to: string): string => {
    expect(wholeExample).toContain(from);
    return wholeExample.replace(from, to);
  };

  test.each([
    ["a member more", replaced("members: [U02BOB]", "members: [U02BOB, U04DAVE]"), "is given to U04DAVE"],
    [
      "an operation more",
      replaced("[ModifyUser, RemoveUserMfa]\n\n", "[ModifyUser, RemoveUserMfa, ModifyProject]\n\n"),
      "also allows ModifyProject",
    ],
    ["one condition removed", replaced("        channels: [C0OPS] #", "        #"), "condition “channels”"],
    ["longer exclusions in a role", replaced("maxExclusion: 24h", "maxExclusion: 25h"), "condition “maxExclusion”"],
    ["what others created", replaced("own: true", "own: false"), "condition “own”"],
    [
      "no approval",
      replaced("operations: [RemoveUserMfa]", "operations: [ModifyProject]"),
      "approvals.0.operations also has ModifyProject",
    ],
    [
      "approval in one case only",
      replaced("    count: 1", "    when: { projects: [p-dev] }\n    count: 1"),
      "approvals.0.when.projects is",
    ],
    [
      "other approvers",
      replaced("approvers: [admin, helpdesk] #", "approvers: [admin, engineer] #"),
      "approvals.0.approvers also has engineer",
    ],
    ["others to ask", replaced("approvers: [admin] }", "approvers: [admin, helpdesk] }"), "may ask for more: helpdesk"],
    [
      "more to ask for",
      replaced("operations: [CreateActionExclusion, Mod", 'operations: ["*", Mod'),
      "may ask for more: CreateManagedServicesPlan",
    ],
    ["approval for longer", replaced("expires: 4h", "expires: 5h"), "approvals.0.expires is 5 h"],
    [
      "approval in another channel",
      replaced("channel: C0SEC # where", "channel: C0OPS # where"),
      "approvals.0.channel is C0OPS",
    ],
    [
      "a weaker rule before",
      replaced("approvals:\n", "approvals:\n  - { operations: ['*'], approvers: [engineer] }\n"),
      "approvals also has { operations: ",
    ],
    [
      "an announcement less",
      replaced('{ operations: ["*", elsewhere], channel: C0OPS }', "{ operations: [ModifyUser], channel: C0OPS }"),
      "announce.0.operations no longer has",
    ],
    ["longer exclusions", replaced("longest: 14d", "longest: 15d"), "exclusions.longest is 15 d, instead of 14 d"],
    [
      "a later start of the day",
      replaced('dayStarts: "08:00"', 'dayStarts: "09:00"'),
      "dayStarts is 09:00, instead of 08:00",
    ],
    [
      "an earlier end of the day",
      replaced('dayEnds: "18:00"', 'dayEnds: "17:00"'),
      "dayEnds is 17:00, instead of 18:00",
    ],
    [
      "a channel's other project",
      replaced("C0OPS: { project: p-dev", "C0OPS: { project: p-prod"),
      "channels says something else of C0OPS",
    ],
    ["another channel with a project", replaced("  C0OPS: { p", "  C0SEC: { project: p-dev }\n  C0OPS: { p"), "C0SEC"],
    [
      "other actions of a group",
      replaced("actions: [a-00000001, ", "actions: ["),
      "resourceGroups says something else of staging",
    ],
    ["no limit", replaced("perPersonPerMinute: 30", "perPersonPerMinute: 0"), "perPersonPerMinute is 0, instead of 30"],
    ["another admins' channel", replaced("channel: C0ADMINS", "channel: C0OPS"), "instead of C0ADMINS"],
    [
      "no admins' channel",
      replaced("admins:\n  channel: C0ADMINS", ""),
      "admins is none, instead of { channel: C0ADMINS }",
    ],
    ["another resource in a group", replaced("i-0a2]", "i-0b1]"), "staging"],
    [
      "another group",
      replaced("  staging:", "  lab: { type: amazon-ec2-instance, project: p-dev, ids: [i-9] }\n  staging:"),
      "lab",
    ],
    ["another e-mail address", replaced("email: bob@", "email: eve@"), "u-00000001"],
    [
      "a plan's other project",
      replaced("name: Nightly backups, project: p-prod", "name: Nightly backups, project: p-dev"),
      "plan-00000002",
    ],
  ])("is held with %s", async (_what, config, says) => {
    const { did, taken, write, reload } = await following(wholeExample);
    write(config);
    await vi.waitFor(() => expect(did.join("\n")).toMatch(/^hold/));
    expect(did.join("\n")).toContain(says);
    expect(taken).toEqual([]);
    await reload();
    expect(taken).toHaveLength(1);
    expect(did.at(-1)).toMatch(/^:unlock: .*SIGHUP/);
  });

  const expectTaken = (taken: readonly Settings[]) => vi.waitFor(() => expect(taken).toHaveLength(1));

  test.each([
    ["a member less", replaced("members: [U02BOB]", "members: []"), "permissions.roles.helpdesk"],
    [
      "an operation less",
      replaced("[ModifyUser, RemoveUserMfa]\n\n", "[ModifyUser]\n\n"),
      "permissions.roles.helpdesk",
    ],
    [
      "an approval more",
      replaced(
        "  # Conditions narrow",
        "  - { operations: [ModifyProject], approvers: [admin] }\n  # Conditions narrow",
      ),
      "approvals",
    ],
    [
      "a condition more",
      replaced('allow: ["*"]', 'allow: ["*"]\n      where: { projects: [p-dev] }'),
      "permissions.roles.admin",
    ],
    ["a lower limit", replaced("perPersonPerMinute: 30", "perPersonPerMinute: 3"), "limits"],
  ])("is applied immediately with %s, and the admins are notified", async (_what, config, says) => {
    const { did, taken, write } = await following(wholeExample);
    write(config);
    await vi.waitFor(() => expect(did.join("\n")).toMatch(/^:lock: /));
    expect(did.join("\n")).toContain(`It tightens ${says}`);
    expect(taken).toHaveLength(1);
  });

  test("is applied silently when it affects no permission", async () => {
    const { did, taken, write } = await following(wholeExample);
    write(replaced("warn: 30m", "warn: 20m"));
    await expectTaken(taken);
    expect(did).toEqual([]);
  });

  test("is held completely when it both tightens and loosens", async () => {
    const { did, taken, write } = await following(wholeExample);
    write(replaced("members: [U02BOB]", "members: []").replace("longest: 14d", "longest: 15d"));
    await vi.waitFor(() => expect(did.join("\n")).toMatch(/^hold/));
    expect(taken).toEqual([]);
  });

  test("is retried when it could not be applied, and reported once", async () => {
    let failures = 3;
    const { app, did, taken } = notingApp();
    const reload: App["reload"] = async (settings) => {
      failures -= 1;
      if (failures >= 0) throw new Error("the database is away");
      taken.push(settings);
    };
    const followed = await followFile({ ...app, reload }, wholeExample);
    onTestFinished(() => followed.stop());
    followed.write(replaced("members: [U02BOB]", "members: []"));
    await expectTaken(taken);
    expect(did.filter((each) => each.startsWith("report"))).toHaveLength(1);
  });

  test("is applied immediately in the sandbox, which says that a real workspace asks first", async () => {
    const printed: string[] = [];
    const { taken, write } = await following(wholeExample, {
      isSandbox: true,
      print: (text) => void printed.push(text),
    });
    write(replaced("members: [U02BOB]", "members: [U02BOB, U04DAVE]"));
    await expectTaken(taken);
    await vi.waitFor(() => expect(printed.join("\n")).toContain("A real workspace asks its admins"));
    expect(printed.join("\n")).toContain("is given to U04DAVE");
  });
});
