import { afterEach, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { askFor, configWith, press, withdrawAll } from "../support/approval-journey.ts";
import { ask, cardOf, changesSentTo } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

/** Dave requests changes to bob's account, which bob or carol could approve. */
const config = configWith("{ operations: [ModifyUser, RemoveUserMfa], approvers: [admin, helpdesk] }").replace(
  "members: [U02BOB]",
  "members: [U02BOB, U04DAVE]",
);
const { curfew, clock } = oneBot({ config });
const own = "This is about your own account";

afterEach(async () => {
  await withdrawAll(curfew(), "dave");
  clock.advance(6000);
});

async function bobMayNotApprove(line: string): Promise<void> {
  const { card } = await askFor(curfew(), "dave", line);
  await isRefusedToBob(card);
}

async function isRefusedToBob(card: StoredMessage): Promise<void> {
  const sent = changesSentTo(curfew());
  expect((await press(curfew(), "bob", "Approve", card)).text).toContain(own);
  expect(sent()).toEqual([]);
}

it("an approver cannot approve enabling their own account, even if it seems enabled", async () => {
  const { card } = await askFor(curfew(), "dave", "user enable u-00000001");
  expect((await press(curfew(), "carol", "Approve", card)).text).toContain("You approved it");
  // The security team disabled it in the service, without Curfew.
  const account = curfew().service.account.users.get("u-00000001");
  if (account) account.status = "disabled";
  await bobMayNotApprove("user enable u-00000001");
});

it("an approver cannot approve their own new address, even if it seems unchanged", async () => {
  const { message } = await ask(curfew(), "dave", "user email u-00000001 bob@example.com");
  const { changeId } = await press(curfew(), "dave", "Send it anyway", message);
  await isRefusedToBob(await cardOf(curfew(), changeId));
});

it("an approver cannot approve giving their address to another account", async () => {
  await bobMayNotApprove("user email u-00000002 BOB@example.com");
});

it.each([" Bob@Example.com ", "bob+cloud@example.com"])(
  "an approver is recognized when the service writes their address differently: %s",
  async (emailAddress) => {
    const { card } = await askFor(curfew(), "dave", "user disable u-00000001");
    const body = { userId: "u-00000001", username: "bob", emailAddress, status: "disabled" };
    curfew().service.faults.next({
      ...{ kind: "garbage", operation: "ModifyUser", contentType: "application/json", body: JSON.stringify(body) },
    });
    await press(curfew(), "carol", "Approve", card);
    await bobMayNotApprove("user enable u-00000001");
  },
);
