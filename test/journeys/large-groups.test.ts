import { describe, expect, it } from "vitest";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { press as approve } from "../support/approval-journey.ts";
import {
  ask,
  buttonsOn,
  type CommandReply,
  cardOf,
  cardsIn,
  changesSentTo,
  end,
  messagesAfter,
  nowOf,
  openForm,
  send,
  textOf,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { passTo } from "../support/pass-to.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";

const machines = (count: number, prefix = "i-0b") =>
  Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(4, "0")}`);
const fleet = machines(450);
const config = unlimitedConfig.replace(
  "resourceGroups:\n",
  `resourceGroups:
  fleet: { type: amazon-ec2-instance, project: p-dev, ids: [${fleet.join(", ")}] }
  depot: { type: amazon-ec2-instance, project: p-dev, ids: [${machines(250, "i-0d").join(", ")}] }
  small: { type: amazon-ec2-instance, project: p-dev, ids: [i-0c01, i-0c02] }
`,
);
const asking = (operation: string) =>
  `${config}approvals:\n  - { operations: [${operation}], approvers: [admin], channel: C0OPS }\n`;
const hourMs = 3_600_000;
const { curfew, clock } = oneBot({ config, startAt: Date.parse("2026-11-25T12:00:00Z") });
const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
const press = (who: string, button: string, message: CommandReply["message"]) =>
  messagesAfter(curfew(), who, () => curfew().workspace.as(who).press(button, message));

const undo = (who: string, changeId: string) => ask(curfew(), who, `undo ${changeId}`);

/** The exclusions of the fleet in the service: their machines and end. */
const inService = (of: readonly string[] = fleet) =>
  [...curfew().service.account.exclusions.values()].filter(
    ({ resourceIds, expiryDate }) =>
      resourceIds.some((each) => of.includes(each)) && Date.parse(expiryDate) > clock.now(),
  );
const sizes = () => inService().map(({ resourceIds }) => resourceIds.length);
/** The part at this place of the next change fails. */
const failsAt = (
  operation: "CreateActionExclusion" | "ModifyActionExclusion" | "DeleteActionExclusion",
  place: number,
) => {
  for (let at = 1; at < place; at++) curfew().service.faults.next({ kind: "latency", ms: 0, operation });
  curfew().service.faults.next({ kind: "status", status: 403, operation });
};
const ends = (of?: readonly string[]) => new Set(inService(of).map(({ expiryDate }) => expiryDate));

describe("a group of more machines than the service takes at once", () => {
  it("is kept by as few exclusions as possible, behind one card, and extended, undone and ended as one", async () => {
    const before = cardsIn(curfew().workspace, "ops").length;
    const entries = async () => (await told("alice", "history mine")).match(/fleet/g)?.length ?? 0;
    const earlier = await entries();
    const sent = changesSentTo(curfew());
    const kept = await ask(curfew(), "alice", "keep fleet up for 2h");
    expect(kept.text).toContain("Keeping fleet running until");
    expect(sent()).toEqual(Array(3).fill("CreateActionExclusion"));
    expect(sizes()).toEqual([200, 200, 50]);
    expect(inService().flatMap(({ resourceIds }) => resourceIds)).toEqual(fleet);
    const card = await cardOf(curfew(), kept.changeId);
    expect(textOf(card)).toContain("is keeping *fleet* running until");
    expect(cardsIn(curfew().workspace, "ops").length).toBe(before + 1);
    const list = await told("alice", "list mine");
    expect(list.match(/fleet/g)).toHaveLength(1);
    expect(await told("alice", "status i-0b0449")).toMatch(/\*i-0b0449: kept running\*\n[\s\S]*\*fleet\* · until/);
    expect(await told("alice", "history mine")).toMatch(/kept fleet running/);
    expect(await entries()).toBeLessThanOrEqual(earlier + 1);

    const extended = await ask(curfew(), "alice", "extend fleet 1h");
    expect(extended.text).toContain("fleet: now until");
    expect(ends().size).toBe(1);
    expect(sizes()).toEqual([200, 200, 50]);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("extended by"));
    const [later] = [...ends()];
    expect((await undo("alice", extended.changeId)).text).toContain("Undone. fleet: now until");
    expect([...ends()]).not.toEqual([later]);
    expect(ends().size).toBe(1);

    const ended = await end(curfew(), "alice", "fleet");
    expect(ended.text).toContain("You stopped keeping fleet running");
    expect(sizes()).toEqual([]);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("ended it"));
    const again = await undo("alice", ended.changeId);
    expect(again.text).toContain("Keeping fleet running until");
    expect(sizes()).toEqual([200, 200, 50]);
    expect((await undo("alice", again.changeId)).text).toContain("Undone.");
    expect(sizes()).toEqual([]);
  });

  it("is opened in a form by the group's name", async () => {
    const form = await openForm(curfew(), "alice", "exclude fleet until yesterday");
    expect(form.text).toContain("fleet: 450 EC2 instances in Development");
    const kept = await send(curfew(), "alice", { Until: "2 h" });
    expect(kept.text).toContain("Keeping fleet running until");
    expect(sizes()).toEqual([200, 200, 50]);
    await end(curfew(), "alice", "fleet");
  });
});

describe("a large group of which a part fails", () => {
  it("says which machines are kept and which are not, lists those that are, and Try again makes the rest", async () => {
    curfew().service.faults.next({ kind: "latency", ms: 0, operation: "CreateActionExclusion" });
    curfew().service.faults.next({ kind: "status", status: 403, operation: "CreateActionExclusion" });
    const partly = await ask(curfew(), "alice", "keep fleet up for 2h");
    expect(partly.text).toContain("It is partly done: 250 of 450 machines.");
    expect(partly.text).toMatch(
      /:white_check_mark: 200 machines: i-0b0000 to i-0b0199\n:x: 200 machines: i-0b0200 to i-0b0399: .*\n:white_check_mark: 50 machines: i-0b0400 to i-0b0449/,
    );
    expect(buttonsOn(partly.message)).toEqual(["Try again", "Undo"]);
    expect(await told("alice", "status i-0b0000")).toContain("kept running*");
    expect(await told("alice", "status i-0b0300")).not.toContain("kept running*");
    const card = await cardOf(curfew(), partly.changeId);
    expect(textOf(card)).toContain("It is partly done: 250 of 450 machines.");
    const done = await press("alice", "Try again", card);
    expect(done.text).toContain("Keeping fleet running");
    expect(sizes().sort()).toEqual([200, 200, 50]);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("is keeping *fleet* running"));
    expect(await told("alice", "status i-0b0300")).toContain("kept running*");

    curfew().service.faults.next({ kind: "status", status: 403, operation: "ModifyActionExclusion" });
    const half = await ask(curfew(), "alice", "extend fleet 1h");
    expect(half.text).toContain("It is partly done: 250 of 450 machines.");
    expect(ends().size).toBe(2);
    expect(buttonsOn(half.message)).toEqual(["Try again"]);
    expect((await press("alice", "Try again", half.message)).text).toContain("fleet: now until");
    expect(ends().size).toBe(1);

    curfew().service.faults.next({ kind: "status", status: 403, operation: "DeleteActionExclusion" });
    const left = await end(curfew(), "alice", "fleet");
    expect(left.text).toContain("It is partly done: 250 of 450 machines.");
    expect(await told("alice", "list mine")).toContain("*i-0b0000, i-0b0001 and 198 more*");
    expect((await press("alice", "Try again", left.message)).text).toContain("You stopped keeping fleet running");
    expect(sizes()).toEqual([]);
    expect(await told("alice", "list mine")).not.toContain("198 more");
  });

  it("does not know a part whose answer was lost, and makes what is left when somebody has looked", async () => {
    curfew().service.faults.next({ kind: "reset-before", operation: "CreateActionExclusion" });
    const unknown = await ask(curfew(), "alice", "keep fleet up for 2h");
    expect(unknown.text).toContain(":grey_question: 200 machines: i-0b0000 to i-0b0199");
    expect(buttonsOn(unknown.message)).toEqual(["Check now", "It's there", "It isn't"]);
    const partly = await press("alice", "It isn't", unknown.message);
    expect(partly.text).toContain("It is partly done: 250 of 450 machines.");
    expect((await press("alice", "Try again", partly.message)).text).toContain("Keeping fleet running");
    expect(
      inService()
        .flatMap(({ resourceIds }) => resourceIds)
        .sort(),
    ).toEqual(fleet);
    await end(curfew(), "alice", "fleet");
    expect(sizes()).toEqual([]);
  });
});

describe("a large group that takes an approval", () => {
  it("takes one, and is judged, counted and made as a whole", async () => {
    await reload(curfew(), config.replace("maxExclusion: 24h", "maxExclusion: 24h\n        weeklyHours: 3"));
    const beyond = await ask(curfew(), "alice", "keep fleet up for 4h");
    expect(beyond.text).toContain("at most 3 h of each in a week");
    await reload(
      curfew(),
      `${config}approvals:\n  - { operations: [CreateActionExclusion], approvers: [admin], channel: C0OPS }\n`,
    );
    const sent = changesSentTo(curfew());
    const asked = await ask(curfew(), "alice", "keep fleet up for 2h");
    expect(asked.text).toContain("This waits for approval");
    expect(sent()).toEqual([]);
    const card = await cardOf(curfew(), asked.changeId);
    await approve(curfew(), "carol", "Approve", card);
    await curfew().workspace.waitFor(() => sizes().length === 3);
    expect(sent()).toEqual(Array(3).fill("CreateActionExclusion"));
    await reload(curfew(), config);
    await end(curfew(), "alice", "fleet");
  });
});

describe("a large group that was changed after an approval was asked for", () => {
  for (const [name, of] of [
    ["small", ["i-0c01", "i-0c02"]],
    ["fleet", fleet],
  ] as const)
    it(`is not extended by a stale approval, like any other: ${name}`, async () => {
      await ask(curfew(), "alice", `keep ${name} up for 2h`);
      await reload(curfew(), asking("ModifyActionExclusion"));
      const asked = await ask(curfew(), "alice", `extend ${name} until 17:00`);
      await reload(curfew(), config);
      await ask(curfew(), "carol", `extend ${name} until 20:00`);
      const [until, ...others] = ends(of);
      expect(others).toEqual([]);
      await reload(curfew(), asking("ModifyActionExclusion"));
      const card = await cardOf(curfew(), asked.changeId);
      await approve(curfew(), "carol", "Approve", card);
      await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("(ChangedSince)"));
      expect([...ends(of)]).toEqual([until]);
      await reload(curfew(), config);
      await end(curfew(), "alice", name);
    });

  it("is not ended in part when a part was made since", async () => {
    failsAt("CreateActionExclusion", 2);
    const partly = await ask(curfew(), "alice", "keep fleet up for 2h");
    const made = await cardOf(curfew(), partly.changeId);
    await reload(curfew(), asking("DeleteActionExclusion"));
    const asked = await ask(curfew(), "alice", `end ${inService()[0]?.actionExclusionId}+`);
    expect(asked.text).toContain("This waits for approval");
    expect((await press("alice", "Try again", made)).text).toContain("Keeping fleet running");
    const card = await cardOf(curfew(), asked.changeId);
    await approve(curfew(), "carol", "Approve", card);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("(ChangedSince)"));
    expect(sizes().sort()).toEqual([200, 200, 50]);
    expect(await told("alice", "status i-0b0300")).toContain("kept running*");
    await reload(curfew(), config);
    expect((await end(curfew(), "alice", "fleet")).text).toContain("You stopped keeping fleet running");
    expect(sizes()).toEqual([]);
  });

  for (const outcome of ["partly done", "unknown"] as const)
    it(`is not made again where an end since is ${outcome}`, async () => {
      failsAt("CreateActionExclusion", 2);
      const partly = await ask(curfew(), "alice", "keep fleet up for 2h");
      const made = await cardOf(curfew(), partly.changeId);
      const id = `${inService()[0]?.actionExclusionId}+`;
      if (outcome === "partly done") failsAt("DeleteActionExclusion", 2);
      else {
        curfew().service.faults.next({ kind: "latency", ms: 0, operation: "DeleteActionExclusion" });
        for (let tries = 0; tries < 5; tries++)
          curfew().service.faults.next({ kind: "reset-before", operation: "DeleteActionExclusion" });
      }
      const ended = await told("alice", `end ${id}`);
      expect(ended).toContain(
        outcome === "partly done" ? "It is partly done: 200 of 250 machines." : ":grey_question: 50",
      );
      const again = await press("alice", "Try again", made);
      expect(again.text).toContain("alice has changed it since");
      expect(sizes()).toEqual([50]);
      expect(await told("alice", "status i-0b0000")).not.toContain("kept running*");
      curfew().service.faults.clear();
      for (const { actionExclusionId } of inService()) curfew().service.account.exclusions.delete(actionExclusionId);
    });
});

describe("a large group that was extended in part", () => {
  it("keeps the end of each part, shows the last on its card, and is over with it", async () => {
    const kept = await ask(curfew(), "alice", "keep fleet up for 2h --another");
    const card = await cardOf(curfew(), kept.changeId);
    const shown = () => /until \*([^*]+)\*/.exec(textOf(nowOf(curfew(), card)))?.[1];
    const first = shown();
    const id = `${inService()[0]?.actionExclusionId}+`;
    failsAt("ModifyActionExclusion", 1);
    const half = await ask(curfew(), "alice", "extend fleet 3h");
    expect(half.text).toContain("It is partly done: 250 of 450 machines.");
    await curfew().workspace.waitFor(() => shown() !== first);
    const both = /\*fleet\* · until .* \(5 h left\) · i-0b0000, i-0b0001 and 198 more until/;
    expect(await told("alice", "list mine")).toMatch(both);
    expect(await told("alice", "status i-0b0300")).toMatch(both);
    await passTo(curfew(), clock, new Date(clock.now() + 2 * hourMs + 60_000).toISOString());
    expect(sizes()).toEqual([200, 50]);
    expect(await told("alice", "status i-0b0000")).not.toContain("kept running*");
    expect(await told("alice", "status i-0b0300")).toContain("kept running*");
    const list = await told("alice", "list mine");
    expect(list).toContain("*i-0b0200, i-0b0201 and 248 more* · until");
    expect(list).not.toContain("i-0b0000");
    const sent = changesSentTo(curfew());
    const extended = await ask(curfew(), "alice", `extend ${id} 1h`);
    expect(extended.text).toContain("fleet: now until");
    expect(sent()).toEqual(Array(2).fill("ModifyActionExclusion"));
    expect(ends().size).toBe(1);
    expect((await end(curfew(), "alice", "fleet")).text).toContain("You stopped keeping fleet running");
    expect(sizes()).toEqual([]);
    expect(await told("alice", "list mine")).not.toContain("*fleet* · until");
  });

  it("counts the hours of each machine by the end of its part", async () => {
    await ask(curfew(), "alice", "keep depot up for 1h");
    failsAt("ModifyActionExclusion", 1);
    await ask(curfew(), "alice", "extend depot 1h");
    await reload(curfew(), config.replace("maxExclusion: 24h", "maxExclusion: 24h\n        weeklyHours: 3"));
    const planned = (machine: string) => told("alice", `keep ${machine} up tomorrow from 10:00 to 11:30`);
    expect(await planned("i-0d0000")).toContain("Withdraw");
    expect(await planned("i-0d0240")).toContain("at most 3 h of each in a week");
    await reload(curfew(), config);
    await end(curfew(), "alice", "depot");
  });

  it("is not ended or shortened for one of its machines", async () => {
    await ask(curfew(), "alice", "keep fleet up for 2h --another");
    const sent = changesSentTo(curfew());
    expect(await told("alice", "end i-0b0300")).toContain(
      "Curfew can't end i-0b0300 alone: that is kept with all of fleet. Nothing was changed: end the whole.",
    );
    expect(await told("alice", "shorten i-0b0300 by 1h")).toContain("Curfew can't shorten i-0b0300 alone");
    expect(sent()).toEqual([]);
    await end(curfew(), "alice", "fleet");
  });
});

describe("a large group that is planned for later", () => {
  it("is made when its time has come, and is over at its end", async () => {
    const planned = await ask(curfew(), "alice", "keep fleet up tomorrow from 10:00 to 12:00");
    expect(planned.text).toContain("fleet");
    expect(sizes()).toEqual([]);
    await passTo(curfew(), clock, "2026-11-26T09:00:01Z");
    await curfew().workspace.waitFor(() => sizes().length === 3);
    expect(await told("alice", "list mine")).toContain("*fleet* · until");
    await passTo(curfew(), clock, "2026-11-26T11:00:10Z");
    expect(await told("alice", "list mine")).not.toContain("*fleet* · until");
  });
});

describe("the exclusions of a leaver", () => {
  it("include a large group, of which every part is ended, again where one failed", async () => {
    await ask(curfew(), "alice", "keep fleet up for 2h");
    curfew().service.faults.next({ kind: "status", status: 403, operation: "DeleteActionExclusion" });
    await openForm(curfew(), "carol", "offboard alice");
    const partly = await send(curfew(), "carol");
    expect(partly.text).toContain("It is partly done: 1 of 2 steps.");
    expect(sizes()).toEqual([200]);
    const done = await press("carol", "Try again", partly.message);
    expect(done.text).toContain("You offboarded alice.");
    expect(sizes()).toEqual([]);
    await ask(curfew(), "carol", "enable alice");
  });
});

describe("a large group when Curfew is killed", () => {
  /** Starts it with a store that is cut off when the second part is to be recorded, as by a kill. */
  const killedAtSecondPart = async (): Promise<() => Promise<void>> => {
    await curfew().app.stop();
    let killed = (): void => undefined;
    const isKilled = new Promise<void>((resolve) => {
      killed = resolve;
    });
    await curfew().restart({
      openStore: async (...given) => {
        const store = await openStore(...given);
        const begin: Store["begin"] = async (change, effects) => {
          if (change.input.part !== 2) return store.begin(change, effects);
          await store.leave();
          await store.close();
          killed();
          return new Promise(() => undefined);
        };
        return { ...store, begin };
      },
    });
    return () => isKilled;
  };

  it("between two parts, makes the rest after the start, and nothing twice", async () => {
    const sent = changesSentTo(curfew());
    const isKilled = await killedAtSecondPart();
    void ask(curfew(), "alice", "keep fleet up for 2h").catch(() => undefined);
    await isKilled();
    expect(sizes()).toEqual([200]);
    await curfew().restart();
    await curfew().workspace.waitFor(() => sizes().length === 3);
    expect(inService().flatMap(({ resourceIds }) => resourceIds)).toEqual(fleet);
    expect(sent()).toEqual(Array(3).fill("CreateActionExclusion"));
    const card = await curfew().workspace.waitFor(() => cardsIn(curfew().workspace, "ops").at(-1));
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("is keeping *fleet* running"));
    expect((await end(curfew(), "alice", "fleet")).text).toContain("You stopped keeping fleet running");
    expect(sizes()).toEqual([]);
  });
});
