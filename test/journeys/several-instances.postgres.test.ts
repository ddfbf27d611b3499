import { afterEach, describe, expect, it } from "vitest";
import { openRaw, verify } from "../store/history-file.ts";
import { askFor, cardSaying, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { createGatedService, type GatedService } from "../support/gated-service.ts";
import { ask, cardsIn, changeIdIn, changesSentTo, messagesAfter, send, textOf } from "../support/journey.ts";
import { type Curfew, type Instance, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

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

/** Two instances, the first behind a gate before the service; Slack delivers to the first. */
async function twoInstances() {
  const curfew = await start({ config });
  const gated = createGatedService(curfew.service);
  gates.push(gated);
  await curfew.app.stop();
  await curfew.restart({ service: gated.client });
  const other = await curfew.addInstance({ heartbeatEveryMs: 20 });
  return { curfew, gated, other };
}

/** A request to the other instance, which has no gate, and its reply. */
async function askOther(curfew: Curfew, other: Instance, who: string, line: string) {
  curfew.deliverTo(other);
  return ask(curfew, who, line);
}

/** Above a card, only the text for notifications says what was done. */
const messagesWith = ({ workspace }: Curfew, who: string, where: string, part: string) =>
  workspace
    .as(who)
    .messages(where)
    .filter((message) => message.isFromApp && `${textOf(message)}\n${message.text}`.includes(part));

describe("several instances on one database", () => {
  it("start together on an empty database, and each answers and announces its changes once", async () => {
    const curfew = await start({ config, instances: 5 });
    const instances = [curfew, ...curfew.others];
    for (const instance of instances) {
      const { text } = await askOther(curfew, instance, "alice", "exclude staging for 1h --another");
      expect(text).toContain("Keeping staging running");
    }
    for (const { app } of instances) await app.idle();
    expect(cardsIn(curfew.workspace, "ops")).toHaveLength(5);
    // The config that all of them started with is recorded once.
    expect(await verify(curfew.database)).toMatchObject({ kind: "intact", length: 11 });
  });

  it("perform a request once when Slack delivers it to two of them at the same time", async () => {
    const { curfew, gated, other } = await twoInstances();
    const sent = changesSentTo(curfew);
    await curfew.workspace.as("alice").type("/curfew exclude staging for 1h", "ops");
    await gated.reached;
    const [outboxMessage] = curfew.workspace.appRequests;
    const { text } = await messagesAfter(curfew, "alice", async () => {
      curfew.deliverTo(other);
      if (outboxMessage) await curfew.workspace.redeliver(outboxMessage);
    });
    expect(text).toContain("This is already in progress");
    gated.open();
    await curfew.workspace.waitFor(() => messagesWith(curfew, "alice", "ops", "Keeping staging").length > 0);
    expect(sent()).toEqual(["CreateActionExclusion"]);
    expect((await ask(curfew, "alice", "history mine")).text.match(/green_circle|check_mark/g)).toHaveLength(1);
  });

  it("perform and answer a mention once when Slack delivers it to two of them at the same time", async () => {
    const { curfew, gated, other } = await twoInstances();
    const sent = changesSentTo(curfew);
    await curfew.workspace.as("alice").type("@Curfew exclude staging for 1h", "ops");
    await gated.reached;
    const [mention] = curfew.workspace.appRequests;
    const repeat = async () => {
      curfew.deliverTo(other);
      if (mention) await curfew.workspace.redeliver({ ...mention, retry: { attempt: 1, reason: "http_timeout" } });
      await other.app.idle();
    };
    const answers = () => curfew.workspace.calls.filter(({ method }) => method === "chat.postEphemeral");
    await repeat();
    expect(answers()).toEqual([]);
    gated.open();
    await curfew.workspace.waitFor(() => messagesWith(curfew, "alice", "ops", "Keeping staging").length > 0);
    await curfew.app.idle();
    await repeat();
    expect(answers()).toHaveLength(1);
    expect(sent()).toEqual(["CreateActionExclusion"]);
    // What only reads is answered once too.
    curfew.deliverTo(curfew);
    const asked = curfew.workspace.appRequests.length;
    await messagesAfter(curfew, "alice", () => curfew.workspace.as("alice").type("@Curfew whoami", "ops"));
    await curfew.app.idle();
    curfew.deliverTo(other);
    const [question] = curfew.workspace.appRequests.slice(asked);
    if (question) await curfew.workspace.redeliver(question);
    await other.app.idle();
    expect(answers()).toHaveLength(2);
  });

  it("accept buttons and forms that another instance created", async () => {
    const curfew = await start({ config });
    const other = await curfew.addInstance();
    const made = await ask(curfew, "alice", "exclude staging for 1h");
    curfew.deliverTo(other);
    const undone = await messagesAfter(curfew, "alice", () => curfew.workspace.as("alice").press("Undo", made.message));
    expect(undone.text).toContain("Undone. You stopped keeping staging running.");
    await curfew.workspace.as("alice").type("/curfew exclude", "ops");
    await curfew.workspace.waitFor(() => curfew.workspace.as("alice").openView());
    curfew.deliverTo(curfew);
    const { text } = await send(curfew, "alice", { What: "staging" });
    expect(text).toContain("Keeping ");
  });

  it("make changes of one thing one after another, each on the result of the last", async () => {
    const { curfew, gated, other } = await twoInstances();
    const made = await askOther(curfew, other, "alice", "exclude staging for 1h");
    const { exclusions } = curfew.service.account;
    const endsAt = () => Date.parse(exclusions.get(made.exclusionId)?.expiryDate ?? "");
    const before = endsAt();
    curfew.deliverTo(curfew);
    const extend = () =>
      curfew.workspace.as("alice").type(`/curfew exclusion extend ${made.exclusionId} for 1h`, "ops");
    await extend();
    await gated.reached;
    curfew.deliverTo(other);
    await extend();
    // The other instance is waiting, or its change would be done by now.
    expect((await ask(curfew, "alice", "exclude i-0a1 for 1h --another")).text).toContain("Keeping ");
    expect(endsAt()).toBe(before);
    gated.open();
    await curfew.workspace.waitFor(() => messagesWith(curfew, "alice", "ops", ": now until").length === 2);
    expect(endsAt() - before).toBe(2 * 3_600_000);
  });

  it("undo a change once when two people press at two instances at the same moment", async () => {
    const { curfew, gated, other } = await twoInstances();
    await askOther(curfew, other, "bob", "user enable dave@example.com");
    const { changeId } = await askOther(curfew, other, "bob", "user disable dave@example.com");
    const sent = changesSentTo(curfew);
    curfew.deliverTo(curfew);
    await curfew.workspace.as("bob").type(`/curfew undo ${changeId}`, "ops");
    await gated.reached;
    const second = askOther(curfew, other, "carol", `undo ${changeId}`);
    expect((await askOther(curfew, other, "alice", "exclude i-0a1 for 1h")).text).toContain("Keeping ");
    gated.open();
    expect((await second).text).toContain("bob has undone it already");
    expect(sent()).toEqual(["CreateActionExclusion", "ModifyUser"]);
  });

  it("settle a killed instance's change once, and notify its requester once", async () => {
    const { curfew, gated } = await twoInstances();
    await curfew.addInstance({ heartbeatEveryMs: 20 });
    await curfew.workspace.as("alice").type("/curfew exclude staging for 1h", "ops");
    await gated.reached;
    const killed = curfew.app;
    await curfew.crash();
    const [notice] = await curfew.workspace.waitFor(() => {
      const found = messagesWith(curfew, "alice", "dm", "Curfew does not know whether");
      return found.length > 0 && found;
    });
    const changeId = notice ? changeIdIn(textOf(notice)) : "";
    const [survivor] = curfew.others;
    if (survivor) expect((await askOther(curfew, survivor, "alice", `history ${changeId}`)).text).toMatch(/unknown: /);
    expect(messagesWith(curfew, "alice", "dm", "Curfew does not know whether")).toHaveLength(1);
    expect(await verify(curfew.database)).toMatchObject({ kind: "intact", length: 3 });
    gated.open();
    await killed.stop();
  });

  it("perform a change once when it is approved at two other instances at the same moment", async () => {
    const curfew = await start({ config: usersNeedAnAdmin, instances: 3 });
    const sent = changesSentTo(curfew);
    const { card } = await askFor(curfew);
    const [one, other] = curfew.others;
    if (!one || !other) throw new Error("There are three instances.");
    curfew.deliverTo(one);
    const pressed = curfew.workspace.as("carol").press("Approve", card);
    curfew.deliverTo(other);
    const outboxMessage = await curfew.workspace.waitFor(() =>
      curfew.workspace.appRequests.find(({ type }) => type === "block_actions"),
    );
    await Promise.all([pressed, curfew.workspace.redeliver(outboxMessage)]);
    await cardSaying(curfew, card, "<@U02BOB> disabled dave");
    for (const { app } of [one, other]) await app.idle();
    expect(sent()).toEqual(["ModifyUser"]);
    expect(await verify(curfew.database)).toMatchObject({ kind: "intact", length: 7 });
  });

  it("continue when one of them stops, which leaves nothing behind", async () => {
    const curfew = await start({ config });
    const other = await curfew.addInstance();
    const instances = async () => (await openRaw(curfew.database).selectFrom("instance").selectAll().execute()).length;
    expect(await instances()).toBe(2);
    await curfew.app.stop();
    expect(await instances()).toBe(1);
    expect((await askOther(curfew, other, "alice", "exclude staging for 1h")).text).toContain("Keeping ");
  });

  it("share the work in Socket Mode too", async () => {
    const curfew = await start({ config, mode: "socket", instances: 3 });
    expect(curfew.workspace.sockets.count()).toBe(3);
    for (let count = 0; count < 6; count++)
      expect((await ask(curfew, "alice", "exclude staging for 1h --another")).text).toContain("Keeping ");
    expect(await verify(curfew.database)).toMatchObject({ kind: "intact", length: 13 });
  });
});
