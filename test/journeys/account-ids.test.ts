import { beforeEach, expect, it } from "vitest";
import { press, withdrawAll } from "../support/approval-journey.ts";
import { callLine, rootToken, withRootBot } from "../support/as-caller.ts";
import { ask, cardOf, changesSentTo, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** The service has erin, frank and their accounts; Curfew knows neither until the service answers. */
const config =
  withRootBot(`${unlimitedConfig.replace("    admin:\n", "    security: { members: [U04DAVE], allow: [reads] }\n    admin:\n")}
identity: { coolOff: 24h, approvers: [admin, security] }
`);
const { curfew } = oneBot({ config });
const root = { token: rootToken, confirm: true };
const path = () => curfew().service.requests.at(-1)?.path;

beforeEach(() => withdrawAll(curfew()));

it("a pipeline changes no account that Curfew does not know, whatever it confirms", async () => {
  const sent = changesSentTo(curfew());
  for (const line of [
    "disable u-00000005",
    "disable U-00000005",
    "disable tom",
    "user email u-00000005 stranger@example.com",
    "user email tom stranger@example.com",
    "user remove-mfa u-00000005 mobile-otp",
    "user detach-policy u-00000005 mp-00000001",
    "disable erin@example.com u-00000005",
    "disable erin@example.com (id: U-00000005)",
    "offboard u-00000005",
  ]) {
    const { status, body } = await callLine(curfew(), line, root);
    expect([line, status, body.confirm]).toEqual([line, 422, undefined]);
    expect([line, body.detail]).toEqual([line, expect.stringContaining("only change users that Curfew knows")]);
    expect([line, body.detail]).toEqual([line, expect.stringContaining("Nothing was changed")]);
  }
  expect(sent()).toEqual([]);
  expect((await ask(curfew(), "bob", "disable u-00000005")).text).toContain("Curfew knows no user called “u-00000005”");
});

it("an id in other letters is the same account, for the cool-off too", async () => {
  const sent = changesSentTo(curfew());
  const disabled = await callLine(curfew(), "disable U-00000004", root);
  expect([disabled.status, path()]).toEqual([200, "/api/Users/u-00000004"]);
  expect((await callLine(curfew(), "user email U-00000004 stranger@example.com", root)).status).toBe(200);
  for (const id of ["u-00000004", "U-00000004"]) {
    const { status, body } = await callLine(curfew(), `enable ${id}`, root);
    expect([status, body.outcome]).toEqual([202, "awaiting-approval"]);
    await callLine(curfew(), `withdraw ${body.change}`, root);
  }
  expect(sent()).toEqual(["ModifyUser", "ModifyUser"]);
});

it("counts what may have been done to an unknown account under another spelling of its id", async () => {
  curfew().service.faults.next({ kind: "reset-after", operation: "ModifyUser", times: 5 });
  const { message } = await ask(curfew(), "bob", "user email U-00000005 stranger@example.com");
  const label = "Use “U-00000005” as a user id";
  expect((await press(curfew(), "bob", label, message)).text).toContain("does not know whether");
  const again = await ask(curfew(), "bob", "user remove-mfa u-00000005 mobile-otp");
  await curfew().workspace.as("bob").press("Use “u-00000005” as a user id", again.message);
  await curfew().workspace.waitFor(() => curfew().workspace.as("bob").openView());
  const { text, changeId } = await send(curfew(), "bob");
  expect(text).toContain("This waits for 2 approvals.");
  expect(textOf(await cardOf(curfew(), changeId))).toContain(
    "bob changed the account's e-mail address less than 1 d ago.",
  );
});
