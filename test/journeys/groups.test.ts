import { beforeEach, describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { someSettings } from "../changes/build.ts";
import { verify } from "../store/history-file.ts";
import { execute } from "../support/execute.ts";
import { ask, cardOf, changesSentTo, openForm, send, textOf } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew, clock } = oneBot();
const hourMs = 3_600_000;
// Earlier exclusions have ended.
beforeEach(() => void clock.advance(25 * hourMs));
const instances = "i-0b4d1c9e7f2a63508 i-0e6f82d7a914cb305";
const ids = instances.split(" ");
/** In another project, so the known project of a resource is not contradicted. */
const others = "i-0f1a2 i-0f2b3";
const lastCreate = () => lastBody(curfew(), "CreateActionExclusion");
const replyTo = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
/** Presses a button that opens a form. */
const press = async (who: string, label: string, on: StoredMessage) => {
  await curfew().workspace.as(who).press(label, on);
  await curfew().workspace.waitFor(() => curfew().workspace.as(who).openView(), { what: `a form for ${who}` });
};
/** The ids of a group as carol sees it; empty when the group does not exist. */
const idsOf = async (name: string): Promise<readonly string[]> => {
  const { text } = await ask(curfew(), "carol", `group show ${name}`);
  return /Resources: ([^·]+) ·/.exec(text)?.[1]?.split(", ") ?? [];
};

describe("a resource group", () => {
  it("can be saved by a line, shown, listed, excluded in any case and deleted", async () => {
    const sent = changesSentTo(curfew());
    const saved = await replyTo("alice", `group save Build ${instances} --project Development`);
    expect(saved).toContain("*Saved group build*");
    expect(saved).toContain(`Resources: ${ids.join(", ")} · Type: amazon-ec2-instance · Project: p-dev`);
    expect(await replyTo("alice", "group show BUILD")).toContain("*Group build*");
    expect(await replyTo("alice", "groups")).toMatch(
      /\*\d resource groups\*.*\*build\* · .*\*staging\* · 2 × EC2 in Development · i-0a1, i-0a2/s,
    );
    expect(sent()).toEqual([]);
    expect(await replyTo("alice", "exclude bUILD for 2h")).toContain("Keeping ");
    expect(lastCreate()).toMatchObject({
      resourceIds: ids,
      resourceType: "amazon-ec2-instance",
      projectId: "p-dev",
      resourceIdentificationMethod: "by-resource-id",
    });
    const end = Date.parse(String(Object.entries(lastCreate() ?? {}).find(([key]) => key === "expiryDate")?.[1]));
    expect(Math.abs(end - clock.now() - 2 * hourMs)).toBeLessThan(60_000);
    expect(await replyTo("alice", "group delete Build")).toContain("*Deleted group build*");
    expect(await replyTo("alice", "group list")).toContain("*1 resource group*");
    expect(await replyTo("alice", "group show build")).toContain("There is no group build that you may see.");
  });

  it("can be replaced and deleted even when unreadable, and the history shows what is known", async () => {
    for (const name of ["odd", "torn"]) await ask(curfew(), "alice", `group save ${name} ${instances} --project p-dev`);
    await execute(curfew().database, "update resource_group set type = 'mainframe' where name = 'odd'");
    await execute(curfew().database, "update resource_group set ids_json = '[' where name = 'torn'");
    expect(await replyTo("alice", "group delete odd")).toContain("You can't keep mainframe resources");
    const replaced = await ask(curfew(), "carol", `group save odd ${instances} --project p-dev`);
    expect(replaced.text).toContain("Type: mainframe → amazon-ec2-instance");
    expect(await replyTo("carol", `history ${replaced.changeId}`)).toContain("mainframe → amazon-ec2-instance");
    const deleted = await ask(curfew(), "alice", "group delete torn");
    expect(deleted.text).toContain("Resources: not known · Type: amazon-ec2-instance · Project: p-dev");
    expect(await replyTo("carol", `history ${deleted.changeId}`)).toContain("not known");
    await ask(curfew(), "alice", "group delete odd");
    expect(await verify(curfew().database)).toMatchObject({ kind: "intact" });
  });

  it("can be saved and deleted by a form, which asks for what the ids leave open", async () => {
    const form = await openForm(curfew(), "alice", "group save");
    expect(form.title).toBe("Save resource group");
    expect(form.fields).toEqual(["Group", "Resource ids", "Resource type", "Project", "Actions"]);
    const alice = curfew().workspace.as("alice");
    await alice.fill({ Group: "lab", "Resource ids": "i-0d1, i-0d2" });
    expect(await alice.submit()).toMatchObject({
      kind: "errors",
      errors: { Project: "This is needed: Curfew cannot derive it from i-0d1, i-0d2." },
    });
    await alice.fill({ "Resource ids": "lab-1, lab-2" });
    expect(await alice.submit()).toMatchObject({
      kind: "errors",
      errors: {
        "Resource ids": "I don't know “lab-1” and “lab-2”. If it names a machine, say its type too.",
      },
    });
    await alice.fill({ "Resource type": "amazon-ec2-instance" });
    expect(await alice.submit()).toMatchObject({
      kind: "errors",
      errors: { "Resource ids": "“lab-1” and “lab-2” are not EC2 instance ids: those look like i-0f12ab34." },
    });
    const { text } = await send(curfew(), "alice", { "Resource ids": "i-0d1, i-0d2", Project: "Development (p-dev)" });
    expect(text).toContain("*Saved group lab*");
    expect(await idsOf("lab")).toEqual(["i-0d1", "i-0d2"]);
    await openForm(curfew(), "alice", "group delete");
    expect((await send(curfew(), "alice", { Group: "lab" })).text).toContain("*Deleted group lab*");
    expect(await idsOf("lab")).toEqual([]);
  });

  it("is replaced when saved again, and can be made from another group", async () => {
    await ask(curfew(), "alice", `group save again ${instances} --project p-dev`);
    await ask(curfew(), "alice", `group save AGAIN staging ${ids[0]} --project p-dev --type amazon-ec2-instance`);
    expect(await idsOf("again")).toEqual(["i-0a1", "i-0a2", ids[0]]);
    await ask(curfew(), "alice", "group delete again");
  });

  it("shows its old content, ready to restore, when it is replaced or deleted", async () => {
    await ask(curfew(), "alice", `group save trace ${instances} --project p-dev`);
    const replaced = await ask(curfew(), "alice", "group save Trace i-0c93e1a7b5d84f216 --project p-dev");
    expect(replaced.text).toContain("*Replaced group trace*");
    expect(replaced.text).toContain(`Resources: ${ids.join(", ")} → i-0c93e1a7b5d84f216`);
    const card = await cardOf(curfew(), replaced.changeId, "admins");
    expect(textOf(card)).toContain("<@U01ALICE> replaced resource group trace");
    expect(textOf(card)).toContain(`${ids.join(", ")} → i-0c93e1a7b5d84f216`);
    const history = await replyTo("carol", `history ${replaced.changeId}`);
    expect(history).toContain("alice replaced resource group trace");
    expect(history).toContain(`${ids.join(", ")} → i-0c93e1a7b5d84f216`);
    await press("alice", "Put back", replaced.message);
    expect((await send(curfew(), "alice")).text).toContain("*Replaced group trace*");
    expect(await idsOf("trace")).toEqual(ids);

    const deleted = await ask(curfew(), "alice", "group delete trace");
    expect(deleted.text).toContain(`Resources: ${ids.join(", ")}`);
    expect(await replyTo("alice", "history mine")).toContain("alice deleted resource group trace");
    expect(await replyTo("alice", `undo ${deleted.changeId}`)).toContain("Nothing was changed.");
    await press("alice", "Save again", deleted.message);
    await send(curfew(), "alice");
    expect(await idsOf("trace")).toEqual(ids);
    await ask(curfew(), "alice", "group delete trace");
    expect(await verify(curfew().database)).toMatchObject({ kind: "intact" });
  });

  it("can name its actions, which an exclusion of it then prevents", async () => {
    const line = `group save acted ${instances} --project p-dev --actions`;
    const saved = await replyTo("alice", `${line} "a-00000009,Start build machines"`);
    expect(saved).toContain("Project: p-dev · Actions: a-00000009, a-00000008");
    expect(await replyTo("alice", "group show acted")).toContain("Actions: a-00000009, a-00000008");
    expect(await replyTo("alice", "exclude acted for 24h")).toMatch(/Prevents “Stop build machines” <!date/);
    expect(await replyTo("alice", `${line} a-00000009,a-00000008`)).toContain("is already saved like this");
    const replaced = await ask(curfew(), "alice", `group save acted ${instances} --project p-dev`);
    expect(replaced.text).toContain("Actions: a-00000009, a-00000008 → not known");
    expect(await replyTo("carol", `history ${replaced.changeId}`)).toContain("a-00000009, a-00000008 → not known");
    await press("alice", "Put back", replaced.message);
    expect((await send(curfew(), "alice")).text).toContain("Actions: not known → a-00000009, a-00000008");
    await ask(curfew(), "alice", "group delete acted");
  });

  it("cannot name actions for other resources", async () => {
    for (const [action, why] of [
      ["a-00000004", "Start staging databases is not for amazon-ec2-instance resources of project p-dev."],
      ["a-00000099", "Curfew knows no action a-00000099."],
      // Of a project that alice may not read.
      ["a-00000012", "Curfew knows no action a-00000012."],
    ]) {
      const text = await replyTo("alice", `group save acted ${instances} --project p-dev --actions ${action}`);
      expect(text).toContain(`${why} Nothing was changed. “action list” shows those there are.`);
    }
    expect(await idsOf("acted")).toEqual([]);
  });

  it("is not saved again when unchanged, and appears in the history once", async () => {
    const line = `group save same ${instances} --project p-dev`;
    await ask(curfew(), "alice", line);
    const again = await replyTo("alice", line);
    expect(again).toContain("*Group same is already saved like this*");
    expect(again).toContain("Nothing was changed.");
    expect((await replyTo("alice", "history mine")).match(/saved resource group same/g)).toHaveLength(1);
    await ask(curfew(), "alice", "group delete same");
  });

  it("in another project appears in the history only for people who may see it", async () => {
    const { changeId } = await ask(curfew(), "carol", `group save apart ${others} --project p-prod`);
    expect(await replyTo("alice", `history ${changeId}`)).toContain("There is no change");
    expect(await replyTo("carol", `history ${changeId}`)).toContain("carol saved resource group apart");
    await ask(curfew(), "carol", "group delete apart");
  });

  it("can be excluded together with other resources and chosen in the exclusion's form", async () => {
    await ask(curfew(), "alice", `group save mixed ${instances} --project p-dev`);
    await ask(curfew(), "alice", "exclude mixed i-0c93e1a7b5d84f216 --project p-dev for 2h");
    expect(lastCreate()).toMatchObject({ resourceIds: [...ids, "i-0c93e1a7b5d84f216"] });
    await curfew().app.idle();
    clock.advance(3 * hourMs);
    await openForm(curfew(), "alice", "exclude");
    await send(curfew(), "alice", { What: "Mixed" });
    expect(lastCreate()).toMatchObject({ resourceIds: ids, projectId: "p-dev" });
    await ask(curfew(), "alice", "group delete mixed");
  });

  it("is treated as a plain id when no such group exists, even for names of built-in properties", async () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      expect(await replyTo("alice", `group show ${name}`)).toContain("There is no group");
      expect(await replyTo("alice", `group delete ${name}`)).toContain("There is no group");
    }
  });

  it("survives a restart", async () => {
    await ask(curfew(), "alice", `group save lasting ${instances} --project p-dev`);
    await curfew().app.stop();
    await curfew().restart();
    expect(await idsOf("lasting")).toEqual(ids);
    await ask(curfew(), "alice", "group delete lasting");
    await curfew().app.stop();
    await curfew().restart();
    expect(await idsOf("lasting")).toEqual([]);
  });

  it.each(["two words", "-dash", "a/b", "naïve", "<b>", "i-0a1", "vol-049df61146c4d7901"])(
    "cannot be called “%s”",
    async (name) => {
      const text = await replyTo("carol", `group save "${name}" ${instances} --project p-dev`);
      expect(text).toMatch(/A group's name is .*Nothing was saved: choose another\./);
      expect(await replyTo("carol", "group list")).toContain("*1 resource group*");
    },
  );

  it("cannot be named like an id in it, in another group or in an exclusion", async () => {
    await ask(curfew(), "carol", "group save lab server-1 --type amazon-rds-instance --project p-dev");
    await ask(curfew(), "carol", "exclude server-2 --type amazon-rds-instance --project p-dev for 1h");
    for (const line of ["server-1 i-0b1", "SERVER-2 i-0b1", "server-3 server-3 i-0b1"]) {
      const text = await replyTo("carol", `group save ${line} --project p-dev --type amazon-rds-instance`);
      expect(text).toMatch(/and no machine's id\. Nothing was saved: choose another\./);
    }
    await ask(curfew(), "carol", "group delete lab");
  });

  it("with a name over 40 characters is refused with the reason, and its form keeps the rest", async () => {
    const line = `group save ${"x".repeat(41)} ${instances} --project p-dev`;
    const { text, message } = await ask(curfew(), "carol", line);
    expect(text).toContain("That is 41 characters; at most 40 are allowed. Nothing was changed.");
    await press("carol", "Open the form", message);
    expect((await send(curfew(), "carol", { Group: "x".repeat(40) })).text).toContain("*Saved group xxx");
    await ask(curfew(), "carol", `group delete ${"x".repeat(40)}`);
  });
});

describe("a resource group of the config file", () => {
  it("cannot be replaced or deleted from Slack", async () => {
    for (const line of ["group save Staging i-0c9 --project p-dev", "group delete STAGING"]) {
      expect(await replyTo("carol", line)).toMatch(
        /The group staging comes from the config file\. Nothing was changed: ask those who run Curfew to change it there\./i,
      );
    }
    expect(await idsOf("staging")).toEqual(["i-0a1", "i-0a2"]);
  });
});

describe("a config group with the same name as an earlier saved group", () => {
  it("takes its place, ignoring case", async () => {
    const groups = async () => Number(/(\d+) resource groups?\*/.exec(await replyTo("carol", "group list"))?.[1]);
    const before = await groups();
    await ask(curfew(), "carol", `group save late ${instances} --project p-dev`);
    const group = "  Late: { type: amazon-ec2-instance, project: p-dev, ids: [i-0c9] }";
    const config = unlimitedConfig.replace("resourceGroups:", `resourceGroups:\n${group}`);
    await curfew().app.reload(someSettings(config));
    expect(await groups()).toBe(before + 1);
    expect(await idsOf("late")).toEqual(["i-0c9"]);
    await ask(curfew(), "carol", "exclude late for 1h");
    expect(lastCreate()).toMatchObject({ resourceIds: ["i-0c9"] });
    await curfew().app.reload(someSettings(unlimitedConfig));
    await ask(curfew(), "carol", "group delete late");
  });
});

describe("permission for resource groups", () => {
  it("to save, delete or replace needs the right to exclude such resources", async () => {
    expect(await replyTo("alice", `group save prod ${others} --project p-prod`)).toContain(
      "You can't keep amazon-ec2-instance resources of project p-prod running here, so you can't change a group of them. Nothing was changed.",
    );
    expect(await replyTo("alice", "group save disks vol-049df61146c4d7901 --project p-dev")).toContain(
      "You can't keep amazon-ebs-volume resources of project p-dev running here",
    );
    await ask(curfew(), "carol", `group save prod ${others} --project p-prod`);
    for (const line of ["group delete prod", `group save prod ${others} --project p-dev`]) {
      expect(await replyTo("alice", line)).toContain("You can't keep amazon-ec2-instance resources of project p-prod");
    }
    expect(await idsOf("prod")).toEqual(others.split(" "));
    await ask(curfew(), "carol", "group delete prod");
  });

  it("to see groups needs the right to read their project", async () => {
    await ask(curfew(), "carol", `group save hidden ${others} --project p-prod`);
    expect(await replyTo("alice", "group list")).not.toContain("hidden");
    expect(await replyTo("alice", "group show hidden")).toContain("There is no group hidden that you may see.");
    expect(await replyTo("carol", "group list")).toContain("hidden");
    for (const who of ["dave", "bob", "gina"]) {
      for (const line of ["group list", "group show staging", `group save x ${instances}`, "group delete hidden"]) {
        const text = await replyTo(who, line);
        expect(text).toMatch(/^:no_entry: /);
        // A guest is refused before the line is read, so Curfew says it of any.
        expect(text.includes("Nothing was changed.")).toBe(who === "gina" || /save|delete/.test(line));
        expect(text).not.toContain("hidden");
      }
      const help = await ask(curfew(), who, "help group");
      expect(textOf(help.message)).not.toContain("group save");
    }
    expect(await idsOf("hidden")).toEqual(others.split(" "));
    await ask(curfew(), "carol", "group delete hidden");
  });

  it("to change groups holds only in the channels of the role", async () => {
    const { text } = await ask(curfew(), "alice", `group save elsewhere ${instances} --project p-dev`, "random");
    expect(text).toMatch(/^:no_entry: /);
    expect(await idsOf("elsewhere")).toEqual([]);
  });
});

describe("an exclusion of a group", () => {
  it("without a name gets the group's name, and its card names the group", async () => {
    for (const [typed, name] of [
      ["STAGING", "alice: staging"],
      ['i-0a2 i-0a1 --another --name "Mine"', "Mine"],
    ]) {
      const { changeId } = await ask(curfew(), "alice", `exclude ${typed} for 2h`);
      expect(lastCreate()).toMatchObject({ name });
      expect(textOf(await cardOf(curfew(), changeId))).toContain("is keeping *staging* running");
    }
  });

  it("and other resources is named after the resources", async () => {
    for (const [typed, named] of [
      ["staging i-0c9", "alice: i-0a1, i-0a2, i-0c9"],
      ["i-0a1", "alice: i-0a1"],
    ]) {
      const { changeId } = await ask(curfew(), "alice", `exclude ${typed} --project p-dev for 2h --another`);
      expect(lastCreate()).toMatchObject({ name: named });
      expect(textOf(await cardOf(curfew(), changeId))).not.toContain("staging");
    }
  });
});

describe("groups of two projects that hold resources of the same name", () => {
  const isolated = oneBot({
    config: unlimitedConfig.replace(
      "resourceGroups:\n",
      `resourceGroups:
  orders: { type: amazon-rds-instance, project: p-dev, ids: [orders-db] }
  live: { type: amazon-rds-instance, project: p-prod, ids: [orders-db] }
`,
    ),
  });

  it("are excluded in their own project, also when the other was excluded last", async () => {
    for (const [group, projectId] of [
      ["orders", "p-dev"],
      ["live", "p-prod"],
      ["orders", "p-dev"],
    ]) {
      const { text } = await ask(isolated.curfew(), "carol", `exclude ${group} for 2h --another`);
      expect(text).toContain("Keeping orders-db running");
      expect(lastBody(isolated.curfew(), "CreateActionExclusion")).toMatchObject({ projectId });
    }
  });

  it("are excluded one after the other, each in its own project, never as one", async () => {
    const sent = changesSentTo(isolated.curfew());
    await ask(isolated.curfew(), "carol", "exclude orders and live for 2h --another");
    expect(sent()).toEqual(["CreateActionExclusion", "CreateActionExclusion"]);
    const bodies = isolated.curfew().service.requests.filter(({ operation }) => operation === "CreateActionExclusion");
    expect(bodies.slice(-2).map(({ body }) => body)).toMatchObject([{ projectId: "p-dev" }, { projectId: "p-prod" }]);
  });
});

describe("a mistyped group name", () => {
  const meant = /I don't know “stagin”\. .*Did you mean “(?:i-0c9 and )?staging”\?/;

  it("is reported before a type and a project are requested, in a line and a form", async () => {
    const sent = changesSentTo(curfew());
    for (const typed of ["stagin", "i-0c9 stagin"]) {
      const { text } = await ask(curfew(), "alice", `exclude ${typed} for 2h`);
      expect(text).toMatch(meant);
    }
    await openForm(curfew(), "alice", "exclude");
    await curfew().workspace.as("alice").fill({ What: "stagin" });
    expect(await curfew().workspace.as("alice").submit()).toMatchObject({
      kind: "errors",
      errors: { What: expect.stringMatching(meant) },
    });
    await send(curfew(), "alice", { What: "staging" });
    expect(sent()).toEqual(["CreateActionExclusion"]);
    expect(lastCreate()).toMatchObject({ resourceIds: ["i-0a1", "i-0a2"] });
  });

  it("counts as a resource id when type and project are given", async () => {
    await ask(curfew(), "carol", "exclude stagging --type amazon-rds-instance --project p-dev for 2h");
    expect(lastCreate()).toMatchObject({ resourceIds: ["stagging"], resourceType: "amazon-rds-instance" });
  });

  it.each([
    ["orders-db", "I don't know “orders-db”"],
    ["i-0c9", "Keeping i-0c9"],
    ["st", "I don't know “st”"],
  ])("is not assumed for %s", async (typed, says) => {
    const { text } = await ask(curfew(), "alice", `exclude ${typed} for 2h`);
    expect(text).toContain(says);
    expect(text).not.toContain("Did you mean");
  });
});
