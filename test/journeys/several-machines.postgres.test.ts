import { afterEach, describe, expect, it } from "vitest";
import { verify } from "../store/history-file.ts";
import { createGatedService, type GatedService } from "../support/gated-service.ts";
import { unlimitedConfig } from "../support/in-both-modes.ts";
import { ask, changeIdIn, changesSentTo, exclusionIdIn, send, textOf, toldAfter } from "../support/journey.ts";
import { type Curfew, type Machine, startCurfew } from "../support/start-curfew.ts";

const config = unlimitedConfig;
let running: Curfew | undefined;
const gates: GatedService[] = [];
afterEach(async () => {
  for (const gate of gates.splice(0)) gate.open();
  await running?.stop();
  running = undefined;
});

const start = async (...given: Parameters<typeof startCurfew>): Promise<Curfew> => {
  running = await startCurfew(...given);
  return running;
};

/** Two machines, of which the first has a gate before the service; Slack delivers to the first. */
async function twoMachines() {
  const curfew = await start({ config });
  const gated = createGatedService(curfew.service);
  gates.push(gated);
  await curfew.app.stop();
  await curfew.restart({ service: gated.client });
  const other = await curfew.addMachine({ watchEveryMs: 20 });
  return { curfew, gated, other };
}

/** What the other one, with no gate, is asked and answers. */
async function askOther(curfew: Curfew, other: Machine, who: string, line: string) {
  curfew.deliverTo(other);
  return ask(curfew, who, line);
}

const messagesWith = ({ workspace }: Curfew, who: string, where: string, part: string) =>
  workspace
    .as(who)
    .messages(where)
    .filter((message) => message.isFromApp && textOf(message).includes(part));

describe("several machines on one database", () => {
  it("start together on an empty database, and each answers", async () => {
    const curfew = await start({ config, machines: 5 });
    for (const machine of [curfew, ...curfew.others]) {
      const { text } = await askOther(curfew, machine, "alice", "exclude staging for 1h");
      expect(text).toContain("You excluded i-0a1, i-0a2 from stopping");
    }
    expect(await verify(curfew.database)).toMatchObject({ kind: "intact", length: 10 });
  });

  it("do once what Slack delivers to two of them at the same time", async () => {
    const { curfew, gated, other } = await twoMachines();
    const sent = changesSentTo(curfew);
    await curfew.workspace.as("alice").type("/curfew exclude staging for 1h", "ops");
    await gated.reached;
    const [delivery] = curfew.workspace.deliveries;
    const { text } = await toldAfter(curfew, "alice", async () => {
      curfew.deliverTo(other);
      if (delivery) await curfew.workspace.redeliver(delivery);
    });
    expect(text).toContain("This is under way already");
    gated.open();
    await curfew.workspace.waitFor(() => messagesWith(curfew, "alice", "ops", "You excluded i-0a1, i-0a2").length > 0);
    expect(sent()).toEqual(["CreateActionExclusion"]);
    expect((await ask(curfew, "alice", "history mine")).text.match(/chg-/g)).toHaveLength(1);
  });

  it("know what any of them did: a button is pressed, and a form sent, at another one", async () => {
    const curfew = await start({ config });
    const other = await curfew.addMachine();
    const made = await ask(curfew, "alice", "exclude staging for 1h");
    curfew.deliverTo(other);
    const undone = await toldAfter(curfew, "alice", () => curfew.workspace.as("alice").press("Undo", made.message));
    expect(undone.text).toContain("You ended");
    await curfew.workspace.as("alice").type("/curfew exclude", "ops");
    await curfew.workspace.waitFor(() => curfew.workspace.as("alice").openView());
    curfew.deliverTo(curfew);
    const { text } = await send(curfew, "alice", { "Resource ids": "staging" });
    expect(text).toContain("You excluded");
  });

  it("make changes of one thing in turn, each from what the one before it left", async () => {
    const { curfew, gated, other } = await twoMachines();
    const made = await askOther(curfew, other, "alice", "exclude staging for 1h");
    const { exclusions } = curfew.service.account;
    const endsAt = () => Date.parse(exclusions.get(exclusionIdIn(made.text))?.expiryDate ?? "");
    const before = endsAt();
    curfew.deliverTo(curfew);
    const extend = () =>
      curfew.workspace.as("alice").type(`/curfew exclusion extend ${exclusionIdIn(made.text)} for 1h`, "ops");
    await extend();
    await gated.reached;
    curfew.deliverTo(other);
    await extend();
    // The other one has begun to wait, or it would have been done by now.
    expect((await ask(curfew, "alice", "exclude i-0a1 for 1h")).text).toContain("You excluded");
    expect(endsAt()).toBe(before);
    gated.open();
    await curfew.workspace.waitFor(() => messagesWith(curfew, "alice", "ops", "You moved the end").length === 2);
    expect(endsAt() - before).toBe(2 * 3_600_000);
  });

  it("settle what one that was killed had under way, once, and tell its asker once", async () => {
    const { curfew, gated } = await twoMachines();
    await curfew.addMachine({ watchEveryMs: 20 });
    await curfew.workspace.as("alice").type("/curfew exclude staging for 1h", "ops");
    await gated.reached;
    const killed = curfew.app;
    await curfew.crash();
    const [told] = await curfew.workspace.waitFor(() => {
      const found = messagesWith(curfew, "alice", "dm", "It is not known whether");
      return found.length > 0 && found;
    });
    const changeId = told ? changeIdIn(textOf(told)) : "";
    const [survivor] = curfew.others;
    if (survivor) expect((await askOther(curfew, survivor, "alice", `history ${changeId}`)).text).toMatch(/unknown: /);
    expect(messagesWith(curfew, "alice", "dm", "It is not known whether")).toHaveLength(1);
    expect(await verify(curfew.database)).toMatchObject({ kind: "intact", length: 2 });
    gated.open();
    await killed.stop();
  });

  it("go on when one of them is stopped", async () => {
    const curfew = await start({ config });
    const other = await curfew.addMachine();
    await curfew.app.stop();
    expect((await askOther(curfew, other, "alice", "exclude staging for 1h")).text).toContain("You excluded");
  });

  it("share the work in Socket Mode too", async () => {
    const curfew = await start({ config, mode: "socket", machines: 3 });
    expect(curfew.workspace.sockets.count()).toBe(3);
    for (let count = 0; count < 6; count++)
      expect((await ask(curfew, "alice", "exclude staging for 1h")).text).toContain("You excluded");
    expect(await verify(curfew.database)).toMatchObject({ kind: "intact", length: 12 });
  });
});
