import { expect, it } from "vitest";
import { z } from "zod";
import { Action } from "../../src/service/resources.ts";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

/** A Monday, 09:00 in London: staging stops at 19:00, which is 20:00 in Berlin, where alice is. */
const startAt = Date.parse("2027-04-05T08:00:00Z");
const { curfew, clock } = oneBot({ config: unlimitedConfig, startAt });
aWeekEach(clock, startAt);

/** The answer to a plan for Tuesday, where the service lists the stops of staging with this schedule. */
async function planned(schedule: object, thing = "staging", times = "18:00-21:00") {
  const { service } = curfew();
  const headers = { authorization: `AccessKey ${service.apiKey}` };
  const listed = await (await fetch(`${service.baseUrl}/api/Actions`, { headers })).json();
  const body = z.array(Action).parse(listed);
  for (const action of body.slice(1, 3)) Object.assign(action.schedule ?? {}, schedule);
  service.faults.next({
    ...{ kind: "garbage", operation: "ListActions", status: 200, contentType: "application/json" },
    body: JSON.stringify(body),
  });
  const reply = await ask(curfew(), "alice", `exclude ${thing} tomorrow ${times}`);
  await curfew().workspace.as("alice").press("Withdraw", reply.message);
  await curfew().app.idle();
  return reply.text;
}

const prevents = "Prevents “Stop staging at 19:00” <!date^";
const cannotTell = "Curfew can't tell whether “Stop staging at 19:00” will run then";
/** Staging stops before the plan begins, where it does on other days. */
const nothing = "Nothing stops them from then until <!date^";

it.each([
  [{}, prevents],
  [{ scheduleType: "Daily" }, prevents],
  [{ timeZoneId: "GMT Standard Time" }, prevents],
  [{ parameters: { days: ["Tuesday"] } }, prevents],
  [{ startDate: "2027-01-01" }, prevents],
  [{ parameters: { days: ["thursday"] } }, nothing, /\|Thu [^|]*, 20:00 [^|]*>\./],
  [{ timeOfDay: "22:00:00" }, nothing, /\|Tue [^|]*, 23:00 [^|]*>\./],
  [{ startDate: "2099-01-01" }, nothing, /\|Sat [^|]*, 14:00 [^|]*>\./],
  [{ scheduleType: "none" }, nothing, /\|Sat [^|]*, 14:00 [^|]*>\./],
  [{ scheduleType: "weekly" }, cannotTell],
  [{ scheduleType: "monthly", parameters: { dayOfMonth: 6 } }, cannotTell],
  [{ parameters: null }, cannotTell],
  [{ parameters: { days: ["Mon", "Tue"] } }, cannotTell],
  [{ timeZoneId: "Nowhere/Land" }, cannotTell],
])("a plan beyond the next run, with %j, is answered: %s", async (schedule, effect, next = /^/) => {
  const text = await planned(schedule);
  expect(text).toContain(effect);
  expect(text).toMatch(next);
  expect(text.includes("Nothing stops them from then until ")).toBe(effect === nothing);
});

it("says the same of resources that no group names the actions of", async () => {
  expect(await planned({ scheduleType: "weekly" }, "i-0d1 --project p-dev", "18:00-20:30")).toContain(
    "Curfew can't tell whether “Stop staging at 19:00” will run then: it knows only its next run, today 20:00.",
  );
  clock.advance(11_000);
  // It may be for others: the action does not name its resources.
  expect(await planned({ scheduleType: "daily" }, "i-0d1 --project p-dev", "18:00-20:30")).toMatch(
    /May prevent “Stop staging at 19:00” <!date\^[^|]*\|Tue [^|]*, 20:00 /,
  );
});
