import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { openStore } from "../../src/store/open-store.ts";
import { verify } from "../store/history-file.ts";
import { askFor, buttonsNow, cardSaying, directMessage, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { createClock } from "../support/clock.ts";
import { ask, buttonsOn, changesSentTo, textOf, threadOf } from "../support/journey.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

const hourMs = 3_600_000;
const clock = createClock();
let curfew: Curfew;
beforeEach(async () => {
  curfew = await startCurfew({ config: usersNeedAnAdmin, now: clock.now });
});
afterEach(async () => {
  expect(await verify(curfew.database)).toMatchObject({ kind: "intact" });
  await curfew.stop();
});

const later = async (ms: number) => {
  clock.advance(ms);
  await curfew.app.idle();
};
const reminders = (card: StoredMessage) => threadOf(curfew, card).map(textOf);

describe("a change that waits for approval", () => {
  it("reminds its approvers in the thread halfway and before the end, once each", async () => {
    const { card } = await askFor(curfew);
    await later(2 * hourMs - 60_000);
    expect(reminders(card)).toEqual([]);
    await later(60_000);
    expect(reminders(card)).toHaveLength(1);
    expect(reminders(card)[0]).toMatch(
      /^:alarm_clock: <@U02BOB> wants to disable dave\. It still needs the approval of <@U03CAROL> and expires <!date\^/,
    );
    await later(1.6 * hourMs);
    expect(reminders(card)).toHaveLength(2);
  });

  it("sends one reminder when both are due together", async () => {
    const { card } = await askFor(curfew);
    await later(3.7 * hourMs);
    await later(0);
    expect(reminders(card)).toHaveLength(1);
  });

  it("sends no reminder after a decision or withdrawal", async () => {
    const asked = await askFor(curfew);
    await ask(curfew, "bob", `withdraw ${asked.changeId}`);
    await later(2.1 * hourMs);
    expect(reminders(asked.card)).toEqual([]);
  });

  it("expires, notifies its requester, refuses late clicks and can be requested again", async () => {
    const { card, changeId } = await askFor(curfew);
    const sent = changesSentTo(curfew);
    await later(4 * hourMs - 1000);
    expect(buttonsNow(curfew, card)).toContain("Approve");
    await later(1000);
    const expired = await cardSaying(curfew, card, "It was not approved in time: nothing was changed.");
    expect(buttonsOn(expired)).toEqual(["Ask again"]);
    const notice = await directMessage(curfew, "bob", "It was not approved in time", changeId);
    expect(buttonsOn(notice)).toEqual(["Ask again"]);
    expect((await ask(curfew, "carol", `approve ${changeId}`)).text).toContain(
      "Your approval came too late and had no effect.",
    );
    expect(sent()).toEqual([]);

    await curfew.workspace.as("bob").press("Ask again", expired);
    const form = await curfew.workspace.waitFor(() => curfew.workspace.as("bob").openView());
    expect(form.title).toBe("Disable user");
  });

  it("refuses a late click even before the expiry is recorded", async () => {
    const { card, changeId } = await askFor(curfew);
    const sent = changesSentTo(curfew);
    clock.advance(4 * hourMs);
    expect((await ask(curfew, "carol", `approve ${changeId}`)).text).toContain(
      "Your approval came too late and had no effect. bob wanted to disable dave. It was not approved in time: nothing was changed.",
    );
    expect(sent()).toEqual([]);
    await later(0);
    await cardSaying(curfew, card, "It was not approved in time");
  });
});

describe("a change approved while the service is down", () => {
  const approvedWhileDown = async () => {
    const asked = await askFor(curfew);
    await curfew.service.faults.down();
    const { text } = await press(curfew, "carol", "Approve", asked.card);
    expect(text).toContain(
      "You approved it. bob wanted to disable dave. It is approved, but the service could not be reached",
    );
    await cardSaying(curfew, asked.card, "Nothing was changed yet, and Curfew will try again");
    return asked;
  };

  it("is retried with backoff and performed when the service is back", async () => {
    const sent = changesSentTo(curfew);
    const { card, changeId } = await approvedWhileDown();
    await later(0);
    await later(30_000);
    await later(59_000);
    await curfew.service.faults.up();
    await later(0);
    expect(sent()).toEqual([]);
    await later(1000);
    expect(sent()).toEqual(["ModifyUser"]);
    await directMessage(curfew, "bob", "You disabled dave.", changeId);
    expect(textOf(await cardSaying(curfew, card, "<@U02BOB> disabled dave"))).toContain("approved by <@U03CAROL>");
    await later(4 * hourMs);
    expect(sent()).toEqual(["ModifyUser"]);
  });

  it("expires when the service stays down, and says that nothing changed", async () => {
    const sent = changesSentTo(curfew);
    const { card, changeId } = await approvedWhileDown();
    await later(4 * hourMs);
    await cardSaying(curfew, card, "It expired: nothing was changed.");
    const notice = await directMessage(curfew, "bob", "It expired: nothing was changed.", changeId);
    expect(textOf(notice)).toContain("It was approved, and until its time was over the service could not be reached.");
    expect(buttonsOn(notice)).toEqual(["Ask again"]);
    await curfew.service.faults.up();
    await later(4 * hourMs);
    expect(sent()).toEqual([]);
    expect((await ask(curfew, "bob", `history ${changeId}`)).text).toMatch(/lapsed: /);
  });

  it("can still be withdrawn by its requester", async () => {
    const { card, message } = await approvedWhileDown();
    expect(buttonsNow(curfew, card)).toEqual([]);
    expect((await press(curfew, "bob", "Withdraw", message)).text).toContain("You withdrew it.");
    await curfew.service.faults.up();
    const sent = changesSentTo(curfew);
    await later(4 * hourMs);
    expect(sent()).toEqual([]);
    await cardSaying(curfew, card, "Withdrawn by <@U02BOB>");
  });

  it("is not retried when it may have been performed", async () => {
    const { card } = await askFor(curfew);
    curfew.service.faults.next({ kind: "status", operation: "ModifyUser", status: 503, times: 9 });
    const { text } = await press(curfew, "carol", "Approve", card);
    expect(text).toContain("Its outcome is unknown: it may have happened.");
    const sent = changesSentTo(curfew);
    await later(4 * hourMs);
    expect(sent()).toEqual([]);
    await directMessage(curfew, "bob", "Curfew does not know whether it managed to disable dave");
  });

  it("is retried when the service only says “not now”", async () => {
    const { card } = await askFor(curfew);
    curfew.service.faults.next({ kind: "status", operation: "ModifyUser", status: 429, times: 9 });
    expect((await press(curfew, "carol", "Approve", card)).text).toContain("Curfew will try again");
    curfew.service.faults.clear();
    await later(30_000);
    await directMessage(curfew, "bob", "You disabled dave.");
  });
});

describe("an approved change that was not performed yet", () => {
  it("is performed once after a crash", async () => {
    const { card, changeId } = await askFor(curfew);
    await curfew.app.stop();
    // The state that a process leaves when it crashes right after the approval.
    const store = await openStore(curfew.database);
    const carol = { approverId: "U03CAROL", approverName: "carol", verdict: "approved", note: null } as const;
    await store.decide(changeId, { ...carol, at: clock.now() }, () => ({
      jobs: [{ kind: "approved-change", subjectId: changeId, dueAt: clock.now() }],
    }));
    await store.close();
    const sent = changesSentTo(curfew);
    await curfew.restart();
    await later(0);
    expect(sent()).toEqual(["ModifyUser"]);
    await directMessage(curfew, "bob", "You disabled dave.", changeId);
    await cardSaying(curfew, card, "<@U02BOB> disabled dave");
  });

  it("is performed by its job when Slack did not say who the requester is", async () => {
    const { card } = await askFor(curfew);
    const sent = changesSentTo(curfew);
    clock.advance(61_000);
    // Curfew learns about carol now. Her Home tab would show bob's request, and so look him up.
    await ask(curfew, "carol", "whoami");
    // Two look-ups are at the approval, the third before the change is performed.
    curfew.workspace.faults.failNext("users.info", { error: "internal_error", times: 3 });
    await press(curfew, "carol", "Approve", card);
    expect(sent()).toEqual([]);
    await later(60_000);
    expect(sent()).toEqual(["ModifyUser"]);
  });
});
