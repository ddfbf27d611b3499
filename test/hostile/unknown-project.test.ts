import { beforeEach, expect, it } from "vitest";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

/** Alice may read in p-dev only, and carol everywhere. */
const { curfew, clock } = oneBot();
const secret = "Payroll of the board";
const id = "a-90000001";
const replyTo = async (who: string, line: string) => (await ask(curfew(), who, line)).text;

beforeEach(() => {
  const { actions } = curfew().service.account;
  const [action] = actions.values();
  if (!action) throw new Error("There is no action.");
  const nextExecutionDate = new Date(clock.now() + 60_000).toISOString();
  const hidden = { ...action, actionId: id, name: secret, nextExecutionDate };
  // As from a service that does not name the project.
  Reflect.deleteProperty(hidden, "projectId");
  actions.set(id, hidden);
  clock.advance(60_000);
});

it("an action without a known project is not listed for a role limited to projects", async () => {
  expect(await replyTo("alice", "action list")).not.toContain(secret);
  expect(await replyTo("alice", "action list board")).not.toContain(secret);
  expect(await replyTo("carol", "action list board")).toContain(secret);
});

it("an action without a known project is not shown or offered either", async () => {
  expect(await replyTo("alice", `action show ${id}`)).toContain("You may not see actions of this project.");
  expect(await replyTo("carol", `action show ${id}`)).toContain(secret);
  const person = curfew().workspace.as("alice");
  await person.type("/curfew action show", "ops");
  await curfew().workspace.waitFor(() => person.openView());
  expect(JSON.stringify(await person.suggest("Action", "payroll"))).not.toContain(secret);
});

it("an exclusion without a known project is not listed either", async () => {
  const body = JSON.stringify({
    ...{ actionExclusionId: "aex-90000001", name: secret, isEnabled: true, processes: ["stop-resource"] },
    ...{ expiryDate: new Date(clock.now() + 3_600_000).toISOString(), resourceType: "amazon-ec2-instance" },
  });
  curfew().service.faults.next({
    ...{ kind: "garbage", operation: "CreateActionExclusion", contentType: "application/json", body },
  });
  await ask(curfew(), "carol", "exclude i-0b7 --type amazon-ec2-instance --project p-prod for 1h");
  await curfew().app.idle();
  expect(await replyTo("alice", "exclusion list")).not.toContain(secret);
  expect(await replyTo("carol", "exclusion list")).toContain(secret);
});
