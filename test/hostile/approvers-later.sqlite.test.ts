import { afterEach, expect, it } from "vitest";
import { askFor, configWith, directMessage, press } from "../support/approval-journey.ts";
import { ask, changesSentTo } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const config = configWith("{ operations: [ModifyUser], approvers: [admin, deputy], count: 2, channel: C0OPS }").replace(
  "  users:\n",
  "  users:\n    - { id: u-00000005, name: erin }\n",
);
const { curfew, clock } = oneBot({ config });

afterEach(async () => {
  await curfew().workspace.changes.changePerson("dave", { email: "dave@example.com" });
  // Longer than a profile is cached.
  clock.advance(120_000);
});

it("an approver who loses the role during an outage does not count at the retry", async () => {
  await curfew().workspace.changes.setGroup("engineers", ["alice", "dave"]);
  const { card, changeId } = await askFor(curfew(), "bob", "user disable u-00000005");
  await press(curfew(), "dave", "Approve", card);
  curfew().service.faults.next({ kind: "status", status: 429, times: 99 });
  await press(curfew(), "carol", "Approve", card);
  await curfew().workspace.changes.setGroup("engineers", ["alice"]);
  curfew().service.faults.clear();
  const sent = changesSentTo(curfew());
  clock.advance(60_000);
  await curfew().app.idle();
  await directMessage(curfew(), "bob", "(ApprovalLost)", changeId);
  expect(sent()).toEqual([]);
});

it("two accounts with one address are detected before the change, even after a failed look-up", async () => {
  await curfew().workspace.changes.setGroup("engineers", ["alice", "dave"]);
  await curfew().workspace.changes.changePerson("dave", { email: "carol@example.com" });
  const { card, changeId } = await askFor(curfew(), "bob", "user disable u-00000005");
  await press(curfew(), "carol", "Approve", card);
  clock.advance(61_000);
  await ask(curfew(), "dave", "whoami");
  curfew().workspace.faults.failNext("users.info", { error: "internal_error", times: 2 });
  const sent = changesSentTo(curfew());
  await press(curfew(), "dave", "Approve", card);
  expect(sent()).toEqual([]);
  clock.advance(60_000);
  await curfew().app.idle();
  await directMessage(curfew(), "bob", "(ApprovalLost)", changeId);
  expect(sent()).toEqual([]);
});
