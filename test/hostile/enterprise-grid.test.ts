import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Enterprise, SeedPerson, WorkspaceSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { installedIn } from "../../src/slack/people/actors.ts";
import { askFor, cardSaying, directMessage, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { ask, cardOf, changesSentTo, messagesAfter, openForm, send, textOf } from "../support/journey.ts";
import { type Curfew, type Mode, startCurfew } from "../support/start-curfew.ts";

const home = "T0CURFEW";
const sister = "T0SISTER";
const org: Enterprise = { id: "E0ORG", name: "Example Group" };

const person = (id: string, handle: string, more: Partial<SeedPerson>): SeedPerson => ({
  ...{ id, handle, realName: handle, displayName: handle, email: `${handle}@example.com`, tz: "UTC" },
  ...more,
});

/** Each kind of person in an organization, and one from another. */
const people: readonly SeedPerson[] = [
  person("W01ALICE", "alice", { teams: [home] }),
  person("W02BOB", "bob", { teamId: org.id, teams: [home, sister] }),
  person("U03CAROL", "carol", { teamId: sister, teams: [sister, home] }),
  person("W04DAVE", "dave", { teamId: sister, teams: [sister] }),
  person("W05GINA", "gina", { teams: [home], isRestricted: true }),
  person("U06ERIN", "erin", { teamId: "T0ELSEWHERE" }),
];
const handles = people.map(({ handle }) => handle);
const seed = (enterprise: Enterprise): WorkspaceSeed => ({
  team: { id: home, name: "Curfew Sandbox", domain: "curfew-sandbox" },
  enterprise,
  people,
  channels: [
    { id: "C0OPS", name: "ops", members: handles, isShared: true, hasBot: true },
    { id: "C0SEC", name: "security", members: ["bob", "carol"], isPrivate: true, hasBot: true },
    { id: "C0ADMINS", name: "admins", members: ["carol"], isPrivate: true, hasBot: true },
  ],
  userGroups: [{ id: "S0ENGINEERS", handle: "engineers", name: "Engineers", members: ["alice"] }],
});

/** The roles name these people too, which must not help strangers. */
const config = usersNeedAnAdmin
  .replace("[U02BOB]", "[W02BOB, W04DAVE]")
  .replace("[U03CAROL]", "[U03CAROL, W01ALICE, W04DAVE, W05GINA, U06ERIN]");

const strangerText = "Only full members of this workspace can use Curfew: ask one. Nothing was changed.";

function grid(mode: Mode, enterprise: Enterprise, tests: (curfew: () => Curfew) => void, teams = ""): void {
  let running: Curfew | undefined;
  beforeAll(async () => {
    running = await startCurfew({ mode, config: `${config}${teams}`, seed: seed(enterprise) });
  });
  afterAll(async () => {
    await running?.stop();
  });
  tests(() => {
    if (running === undefined) throw new Error("The bot has not been started.");
    return running;
  });
}

/** The behavior for every kind of installation. `strangers`: with what they are, which an admin reads. */
function members(curfew: () => Curfew, strangers: readonly (readonly [string, string])[]): void {
  it.each(["alice", "carol"])(
    "%s, a member of the workspace, makes a change that names them by their id",
    async (who) => {
      const { changeId, text } = await ask(curfew(), who, "exclude staging for 1h --another");
      expect(text).toContain("Keeping ");
      const { id } = curfew().workspace.as(who);
      expect(textOf(await cardOf(curfew(), changeId))).toContain(`<@${id}> is keeping`);
      expect((await ask(curfew(), who, `history ${changeId}`)).text).toContain(changeId);
    },
  );

  it("a request by one member is approved by another from any workspace", async () => {
    const sent = changesSentTo(curfew());
    const { card, changeId } = await askFor(curfew(), "bob", "user disable dave@example.com");
    expect(textOf(card)).toContain("<@W02BOB>");
    await press(curfew(), "carol", "Approve", card);
    await directMessage(curfew(), "bob", changeId, "You disabled");
    await cardSaying(curfew(), card, "<@U03CAROL>");
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("nobody approves their own request, by button or line", async () => {
    const sent = changesSentTo(curfew());
    const { card, changeId } = await askFor(curfew(), "carol", "user enable dave@example.com");
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("You asked for this yourself");
    expect((await ask(curfew(), "carol", `approve ${changeId}`)).text).toContain("You asked for this yourself");
    expect(sent()).toEqual([]);
    await ask(curfew(), "carol", `withdraw ${changeId}`);
  });

  it("a person with a W id can be mentioned, and can use forms and the Home tab", async () => {
    expect((await ask(curfew(), "carol", "can <@W02BOB> RemoveUserMfa")).text).toContain("bob");
    await openForm(curfew(), "alice", "exclude");
    const resources = { What: "i-0f2", "Resource type": "amazon-ec2-instance", Project: "p-dev" };
    expect((await send(curfew(), "alice", resources)).text).toContain("Keeping i-0f2");
    expect(await curfew().workspace.as("alice").openHome()).toEqual({ ok: true });
    await curfew().app.idle();
    expect(curfew().workspace.as("alice").home()).toBeDefined();
  });

  describe.each(strangers)("%s %s:", (who, membership) => {
    it("an admin reads why they may do nothing", async () => {
      const { id } = curfew().workspace.as(who);
      expect((await ask(curfew(), "carol", `can <@${id}> ListActions`)).text).toContain(`${who} ${membership}; only`);
    });

    it.each(["whoami", "action list", "exclude staging for 1h", "user disable dave@example.com"])(
      "is refused “%s”",
      async (line) => {
        const before = curfew().service.requests.length;
        expect((await ask(curfew(), who, line)).text).toContain(strangerText);
        expect(curfew().service.requests).toHaveLength(before);
      },
    );

    it("approves nothing by button or line, even when a role names them", async () => {
      const sent = changesSentTo(curfew());
      const { card, changeId } = await askFor(curfew(), "bob", "user enable dave@example.com");
      const pressed = await messagesAfter(curfew(), who, () => curfew().workspace.as(who).press("Approve", card));
      expect(pressed.text).toContain(strangerText);
      expect((await ask(curfew(), who, `approve ${changeId}`)).text).toContain(strangerText);
      expect(sent()).toEqual([]);
      await ask(curfew(), "bob", `withdraw ${changeId}`);
    });
  });
}

describe.each(["http", "socket"] as const)("over %s", (mode) => {
  describe("in one workspace of an organization", () => {
    grid(mode, org, (curfew) => {
      members(curfew, [
        ["dave", "is from another organization"],
        ["gina", "is a guest"],
        ["erin", "is from another organization"],
      ]);
    });
  });

  describe("in a whole organization, where Slack names no workspace", () => {
    grid(mode, { ...org, isOrgWide: true }, (curfew) => {
      members(curfew, [
        ["gina", "is a guest"],
        ["erin", "is from another organization"],
      ]);

      it("members of any of its workspaces are accepted", async () => {
        expect((await ask(curfew(), "dave", "exclude staging for 1h --another")).text).toContain("Keeping ");
      });

      it("an unreadable user group gives nobody a role, and the log says so", async () => {
        expect((await ask(curfew(), "alice", "whoami")).text).not.toContain("engineer");
        expect(curfew().logged.join("")).toContain("nobody has their roles");
      });
    });
  });
});

describe("in a whole organization, with the workspaces that count as ours", () => {
  const tests = (curfew: () => Curfew) => {
    it("members of these workspaces alone are accepted, with the roles of their user groups", async () => {
      expect((await ask(curfew(), "dave", "whoami")).text).toContain(strangerText);
      expect((await ask(curfew(), "carol", "can <@W04DAVE> ListActions")).text).toContain(
        "dave is from another organization; only",
      );
      expect((await ask(curfew(), "alice", "whoami")).text).toContain("engineer");
      expect((await ask(curfew(), "carol", "exclude staging for 1h --another")).text).toContain("Keeping ");
    });
  };
  grid("http", { ...org, isOrgWide: true }, tests, `teams: [T0OTHER, ${home}]\n`);
});

describe("an installation", () => {
  it.each([
    [{ team_id: "T1", is_enterprise_install: false }, "T1"],
    [{ team_id: "T1", enterprise_id: "E1", is_enterprise_install: false }, "T1"],
    [{ team_id: null, enterprise_id: "E1", is_enterprise_install: true }, "E1"],
    [{ team_id: "E1", is_enterprise_install: true }, "E1"],
    [{ team_id: "E1", enterprise_id: "E1", is_enterprise_install: true }, "E1"],
    [{ team_id: null, enterprise_id: "E1" }, undefined],
    [{ team_id: "", enterprise_id: "E1", is_enterprise_install: false }, undefined],
    [{}, undefined],
  ])("with %o belongs to %s", (tested, id) => {
    expect(installedIn(tested)).toBe(id);
  });
});
