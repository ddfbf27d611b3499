import { describe, expect, it } from "vitest";
import type { OpenView, Typed } from "../../src/sandbox/workspace/form-fields.ts";
import {
  ask,
  buttonsOn,
  cardOf,
  changesSentTo,
  end,
  fillIn,
  messagesAfter,
  openForm,
  send,
  textOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

// A help desk that may exclude but not read.
const config = unlimitedConfig.replace(
  "allow: [ModifyUser, RemoveUserMfa]",
  "allow: [ModifyUser, RemoveUserMfa, CreateActionExclusion]",
);
const { curfew, clock } = oneBot({ config });
/** A Wednesday, 13:00 in Berlin, where alice is. The example account's actions run at the same times every day. */
const wednesday = Date.parse("2027-03-03T12:00:00Z");
clock.advance(wednesday - clock.now());
const at = (time: string) => Date.parse(`2027-03-03T${time}:00Z`) / 1000;
const berlin = (time: string) => `Wed 3 Mar, ${time}`;

const readyEnds = ["1 h", "2 h", "Tonight", "Tomorrow morning"];
const anyEffect = /Due in|Prevents|already keeps|No known action|changes? nothing/;

/** Chooses a value in the open form, and waits until the updated form has this text. */
async function choose(who: string, values: Readonly<Record<string, Typed>>, says = ""): Promise<OpenView> {
  const person = curfew().workspace.as(who);
  const before = person.openView()?.hash;
  await fillIn(curfew(), who, values);
  return curfew().workspace.waitFor(
    () => {
      const view = person.openView();
      return view && view.hash !== before && view.text.includes(says) ? view : undefined;
    },
    { what: `a form that says ${says}` },
  );
}

const due = (what: string, time: string, project = "Development", type = "EC2") =>
  `Due in ${project}, ${type}: ${what} before ${berlin(time)}`;

/** The form filled in until the evening, with a reason and a name. */
const excluding = async (who = "alice", more: Readonly<Record<string, Typed>> = {}) => {
  await openForm(curfew(), who, "exclude");
  await fillIn(curfew(), who, { What: "i-0c9", Name: "Kept", Why: "because", ...more });
  await choose(who, { Until: at("22:30") });
  return choose(who, { Project: "p-dev" }, "Due in Development, EC2");
};

describe("the form of an exclusion", () => {
  it("shows which actions of the same project and kind of resource are due, the next three with their times", async () => {
    await excluding();
    const { text } = await choose("alice", { Until: at("24:00") }, "3 actions");
    expect(text).toContain(
      [
        `Due in Development, EC2: 3 actions for stopping before Thu 4 Mar, 01:00:`,
        `• Stop staging at 19:00: ${berlin("20:00")}`,
        `• Stop build machines: ${berlin("23:00")}`,
        "• Stop QA: Thu 4 Mar, 00:30",
        "They may be for other resources.",
      ].join("\n"),
    );
    expect((await choose("alice", { Effect: "Leave alone" }, "starting and stopping")).text).toContain(
      "Due in Development, EC2: 4 actions for starting and stopping before Thu 4 Mar, 01:00; the next three:",
    );
  });

  it("updates them for another process, end, type or project, and keeps the typed text", async () => {
    await excluding("carol");
    const none = "no known action for";
    for (const [values, says] of [
      [{ Effect: "Keep off" }, `Due in Development, EC2: 1 action for starting before`],
      [{ Effect: "Leave alone" }, "Due in Development, EC2: 3 actions for starting and stopping before"],
      [{ Effect: "Keep running" }, "Due in Development, EC2: 2 actions for stopping before"],
      [{ Until: at("16:00") }, `Due in Development, EC2: ${none} stopping before Wed 3 Mar, 16:00`],
      [{ Until: at("20:00") }, "Due in Development, EC2: 1 action for stopping before Wed 3 Mar, 20:00"],
      [{ "Resource type": "amazon-rds-instance" }, "• Stop staging databases: Wed 3 Mar, 19:30"],
      [{ "Resource type": "amazon-rds-cluster" }, "• Stop staging search: Wed 3 Mar, 19:35"],
      [{ "Resource type": "amazon-documentdb-cluster" }, "• Stop the catalogue: Wed 3 Mar, 17:00"],
      [{ "Resource type": "amazon-ebs-volume" }, `Due in Development, EBS: ${none} stopping before`],
      [{ "Resource type": "azure-virtual-machine" }, "Due in Development, Azure VM: 1 action for stopping before"],
      [{ "Resource type": "google-vm-instance" }, "• Stop the demo lab: Wed 3 Mar, 17:15"],
      [{ Project: "p-prod" }, `Due in Production, Google VM: ${none} stopping before`],
    ] as const) {
      const { values: shown } = await choose("carol", values, says);
      expect(shown).toMatchObject({
        What: { value: "i-0c9" },
        Name: { value: "Kept" },
        Why: { value: "because" },
      });
    }
    // Of the type that its id implies, and not excluded by other tests in another project: both would be refused.
    await send(curfew(), "carol", { What: "i-0f9", "Resource type": "amazon-ec2-instance" });
    const made = [...curfew().service.account.exclusions.values()].at(-1);
    expect(made).toMatchObject({ name: "Kept", projectId: "p-prod", resourceType: "amazon-ec2-instance" });
  });

  it("does not count actions that are switched off or run on demand", async () => {
    const { actions } = curfew().service.account;
    const names = [...actions.values()].filter(({ projectId }) => projectId === "p-dev").map(({ name }) => name);
    expect(names).toContain("Stop the blog preview");
    await excluding();
    const { text } = await choose("alice", { "Resource type": "amazon-lightsail-instance" }, "Lightsail");
    expect(text).toContain(due("no known action for stopping", "23:30", "Development", "Lightsail"));
  });

  it("shows nothing about a project whose actions its reader may not read", async () => {
    await excluding();
    const { text } = await choose("alice", { Project: "p-prod" }, "Production (p-prod)");
    expect(text).not.toMatch(anyEffect);
    await curfew().workspace.as("alice").cancel();
    const ofBob = await openForm(curfew(), "bob", "exclude");
    await fillIn(curfew(), "bob", { What: "i-0c9", Project: "p-dev" });
    await curfew().app.idle();
    expect(`${ofBob.text} ${curfew().workspace.as("bob").openView()?.text}`).not.toMatch(anyEffect);
    const { text: answer } = await send(curfew(), "bob");
    expect(answer).toContain("Keeping i-0c9 running");
    expect(answer).not.toMatch(anyEffect);
  });

  it("opens without them when the service is unreachable, and says so", async () => {
    await excluding();
    clock.advance(11_000);
    await curfew().service.faults.down();
    try {
      const { text } = await choose("alice", { Effect: "Leave alone" }, "couldn't read");
      expect(text).toContain("Curfew couldn't read from the service what this prevents.");
    } finally {
      await curfew().service.faults.up();
    }
    expect((await choose("alice", { Effect: "Keep running" }, "Due in")).text).toContain("2 actions for stopping");
  });

  it("waits only briefly for a slow service", async () => {
    await excluding();
    clock.advance(11_000);
    curfew().service.faults.next({ kind: "latency", operation: "ListActions", ms: 5000, times: 5 });
    const { fields } = await choose(
      "alice",
      { Effect: "Leave alone" },
      "Curfew could not work out the effect in time.",
    );
    expect(fields).toContain("Until");
  });
});

const kept = /keeps? (?:it|them|some of them) running/;

describe("the reply to an exclusion", () => {
  it("shows what it suppresses, to its requester only", async () => {
    const { text, changeId } = await ask(curfew(), "alice", "exclude i-0c8 --project p-dev until 21:00");
    expect(text).toContain("Keeping i-0c8 running");
    expect(text).toContain("May prevent “Stop staging at 19:00” <!date^");
    expect(textOf(await cardOf(curfew(), changeId))).not.toMatch(anyEffect);
  });

  it("shows no suppressed actions when the exclusion was not made", async () => {
    curfew().service.faults.next({ kind: "status", operation: "CreateActionExclusion", status: 400 });
    const { text } = await ask(curfew(), "alice", "exclude i-0c7 --project p-dev until 21:00");
    expect(text).toContain("nothing was changed");
    expect(text).not.toMatch(anyEffect);
  });

  it("does not mistake the exclusion for an earlier one, even when requested twice", async () => {
    const first = await ask(curfew(), "alice", "exclude i-0d1 --project p-dev until 21:00");
    expect(first.text).not.toMatch(kept);
    const outboxMessage = curfew().workspace.appRequests.at(-1);
    const again = await messagesAfter(
      curfew(),
      "alice",
      async () => outboxMessage && curfew().workspace.redeliver(outboxMessage),
    );
    expect(again.text).toContain("This was sent twice, and done once.");
    expect(again.text).not.toMatch(kept);
  });
});

describe("an existing exclusion of some of the resources", () => {
  const first = async (who: string, ids: string, line = "") => {
    const { exclusionId } = await ask(curfew(), who, `exclude ${ids} ${line} --project p-dev --name First until 20:30`);
    return exclusionId;
  };

  it("is named in the form, which can switch to extending it", async () => {
    const id = await first("alice", "i-0e1 i-0e2");
    const end = curfew().service.account.exclusions.get(id)?.expiryDate ?? "";
    const form = await excluding("alice", { What: "i-0e9 i-0e2" });
    expect(form.text).toMatch(/You keep some of them running too\./);
    expect(buttonsOn(form)).toEqual([...readyEnds, "Extend that one"]);
    const sent = changesSentTo(curfew());
    const alice = curfew().workspace.as("alice");
    await alice.press("Extend that one", "view");
    const extending = await curfew().workspace.waitFor(() => {
      const view = alice.openView();
      return view?.title === "Keep longer" ? view : undefined;
    });
    expect(extending.id).toBe(form.id);
    expect(extending.values.What).toMatchObject({ selected_option: { value: id } });
    const { text } = await send(curfew(), "alice");
    expect(text).toContain("(“First”): now until");
    expect(sent()).toEqual(["ModifyActionExclusion"]);
    const moved = Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "") - Date.parse(end);
    expect(Math.abs(moved - 4 * 3_600_000)).toBeLessThan(60_000);
  });

  it("is named in the reply too", async () => {
    await first("alice", "i-0e3");
    const { text } = await ask(curfew(), "alice", "exclude i-0e3 i-0e8 --project p-dev until 21:00");
    expect(text).toMatch(/You keep some of them running too\./);
  });

  it("is not offered without the right to extend it, or when it ended or differs", async () => {
    const others = await first("carol", "i-0e4");
    const form = await excluding("alice", { What: "i-0e4" });
    expect(form.text).toMatch(/Carol keeps it running too\./);
    expect(buttonsOn(form)).toEqual(readyEnds);
    expect((await choose("alice", { Effect: "Keep off" }, "action for starting")).text).not.toMatch(kept);
    expect((await choose("alice", { Effect: "Leave alone" }, "for starting and stopping")).text).toContain(
      "Carol keeps it running",
    );
    await curfew().workspace.as("alice").cancel();
    await end(curfew(), "carol", others);
    expect((await excluding("alice", { What: "i-0e4" })).text).not.toMatch(kept);
  });
});
