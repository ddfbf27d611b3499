import { describe, expect, it } from "vitest";
import { createServiceClient, type ServiceClient } from "../../src/service/client.ts";
import { openHistory } from "../../src/store/history/verify-history.ts";
import { openStore } from "../../src/store/open-store.ts";
import { buttonsNow, cardSaying, configWith, directMessage, press } from "../support/approval-journey.ts";
import { ask, type CommandReply, cardOf, changesSentTo, openForm, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { createSignal } from "../support/signal.ts";

const strictest = configWith(
  "{ operations: [ModifyUser], approvers: [admin, deputy], channel: C0OPS }",
  "{ operations: [DetachManagedPolicy], approvers: [admin], channel: C0OPS, expires: 1h }",
).replace("allow: [ModifyUser, RemoveUserMfa]", "allow: [ModifyUser, RemoveUserMfa, DetachManagedPolicy]");
const { curfew, clock } = oneBot({ config: strictest });

interface Asked extends CommandReply {
  readonly card: Awaited<ReturnType<typeof cardOf>>;
}

/** With a policy of theirs. */
async function askToOffboard(user: string, policyId: string): Promise<Asked> {
  await curfew().app.idle();
  await openForm(curfew(), "bob", `offboard ${user} --policy ${policyId}`);
  const asked = await send(curfew(), "bob");
  await curfew().app.idle();
  return { ...asked, card: await cardOf(curfew(), asked.changeId) };
}

/** After what a killed process was sending. */
async function later(): Promise<void> {
  clock.advance(120_000);
  await curfew().app.idle();
}

type Signal = ReturnType<typeof createSignal>;

/** A service that is never asked to detach a policy: its process is killed during the call. */
function stuckService(): { readonly client: ServiceClient; readonly reached: Signal; readonly end: Signal } {
  const client = createServiceClient(curfew().service);
  const [reached, end] = [createSignal(), createSignal()];
  return {
    ...{ reached, end },
    client: {
      ...client,
      send: async (operation, input, options) => {
        if (operation !== "DetachManagedPolicy") return client.send(operation, input, options);
        reached.give();
        await end.given;
        throw new Error("killed");
      },
    },
  };
}

describe("an offboarding that needs approval", () => {
  it("has one card with every step, for those who may approve all of them, and is done with one approval", async () => {
    const { card, text } = await askToOffboard("alice", "mp-00000001");
    expect(text).toContain("This waits for approval.");
    expect(textOf(card)).toContain("disable alice\n:white_circle: detach policy Administrators from alice");
    expect(textOf(card)).toContain("Every other policy that the service lists then is detached too.");
    const sent = changesSentTo(curfew());
    // She may approve the first step alone.
    expect((await press(curfew(), "alice", "Approve", card)).text).toContain("You can't decide");
    expect(sent()).toEqual([]);
    expect((await press(curfew(), "carol", "Approve", card)).text).toContain("bob offboarded alice");
    expect(sent()).toEqual(["ModifyUser", "DetachManagedPolicy"]);
    expect(textOf(await cardSaying(curfew(), card, "offboarded alice"))).toContain("approved by <@U03CAROL>");
    await directMessage(curfew(), "bob", "You offboarded alice.");
  });

  it("is tried again within the time of its approval, and not after it", async () => {
    curfew().service.faults.next({ kind: "status", status: 403, operation: "DetachManagedPolicy", times: 2 });
    const { card, changeId } = await askToOffboard("dave", "mp-00000002");
    await press(curfew(), "carol", "Approve", card);
    await directMessage(curfew(), "bob", "You wanted to offboard dave. It is partly done: 1 of 2 steps.");
    expect((await press(curfew(), "bob", "Try again", card)).text).toContain("It is partly done: 1 of 2 steps.");
    clock.advance(3_600_000);
    const late = await ask(curfew(), "bob", `retry ${changeId}`);
    expect(late.text).toContain("The time of its approval is over. Nothing more was changed.");
  });
});

describe("an offboarding that a crash interrupts", () => {
  it("is settled from its steps after the restart, and nothing is done twice", async () => {
    const stuck = stuckService();
    await curfew().app.idle();
    await curfew().restart({ service: stuck.client });
    const { card } = await askToOffboard("dave", "mp-00000002");
    const sent = changesSentTo(curfew());
    await curfew().workspace.as("carol").press("Approve", card);
    await stuck.reached.given;
    await curfew().restart();
    const notice = await directMessage(curfew(), "bob", "Curfew does not know whether it managed to offboard dave");
    expect(textOf(notice)).toMatch(/:white_check_mark: disable dave\n:grey_question: detach policy/);
    await later();
    await cardSaying(curfew(), card, "Its outcome is unknown");
    expect(buttonsNow(curfew(), card)).toEqual(["Check now", "It was done", "It wasn't"]);
    await press(curfew(), "carol", "It wasn't", card);
    await directMessage(curfew(), "bob", "It is partly done: 1 of 2 steps.");
    await cardSaying(curfew(), card, "It is partly done: 1 of 2 steps.");
    expect((await press(curfew(), "bob", "Try again", card)).text).toContain("You offboarded dave.");
    expect(sent()).toEqual(["ModifyUser", "DetachManagedPolicy"]);
    stuck.end.give();
  });

  it("between two steps is partly done, and the rest can be tried again", async () => {
    curfew().service.faults.next({ kind: "status", status: 403, operation: "DetachManagedPolicy" });
    const { card, changeId } = await askToOffboard("alice", "mp-00000001");
    await press(curfew(), "carol", "Approve", card);
    await curfew().app.stop();
    // The state that a process leaves when it crashes before the next step.
    const store = await openStore(curfew().database);
    await store.move(changeId, { from: ["partly"], to: "performing", at: clock.now() });
    await store.close();
    const history = await openHistory(curfew().database);
    expect(await history.verify()).toMatchObject({ kind: "intact" });
    const steps: unknown[] = [];
    for await (const { content } of history.entries())
      if (content.change?.parent === changeId) steps.push(content.change.words);
    await history.close();
    expect(steps).toEqual(["user disable", "user detach-policy"]);
    const sent = changesSentTo(curfew());
    await curfew().restart();
    await cardSaying(curfew(), card, "It is partly done: 1 of 2 steps.");
    expect(sent()).toEqual([]);
    expect(buttonsNow(curfew(), card)).toContain("Try again");
  });
});
