import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { companyAccount, companyConfig, companySeed } from "../../src/sandbox/company.ts";
import { createClock } from "../support/clock.ts";
import { ask } from "../support/journey.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

let curfew: Curfew;
const clock = createClock(Date.parse("2026-11-25T12:00:00Z"));
const session = new Session();
const channel = "payments-jobs";
/** In the group payments-web-dev the first 50, in payments-api-dev the next, and so on. */
const machine = (number: number) => `i-0c${number.toString(16).padStart(15, "0")}`;
const ofJobs = 3 * 50;

beforeAll(async () => {
  curfew = await startCurfew({
    ...{ config: companyConfig(unlimitedConfig), seed: companySeed, account: companyAccount(clock.now()) },
    ...{ now: clock.now, elapsedMs: clock.elapsedMs },
  });
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
}, 120_000);
afterAll(async () => {
  session.disconnect();
  await curfew.stop();
});

/** How many calls of its own functions Curfew makes for an act, once it is warm: work that is the same on every machine. */
async function callsFor(act: (turn: number) => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    await session.post("Profiler.takePreciseCoverage");
    await act(turn);
    await curfew.app.idle();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const own = result.filter(({ url }) => url.includes("/src/") && !url.includes("/src/sandbox/"));
    const calls = own.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0));
    counts.push(calls.reduce((sum, count) => sum + count, 0));
  }
  return Math.min(...counts.slice(1));
}

type Act = (turn: number) => Promise<unknown>;
const line =
  (text: string, who = "person0003", where = channel): Act =>
  () =>
    ask(curfew, who, text, where);
const readsOf = (method: string) => curfew.workspace.calls.filter((call) => call.method === method).length;
const home = (who: string): Act => {
  return async () => {
    const before = readsOf("views.publish");
    await curfew.workspace.as(who).openHome();
    await curfew.workspace.waitFor(() => readsOf("views.publish") > before, { what: `the Home tab of ${who}` });
  };
};

/** Each about a third more than it takes now, and a fraction of a look at every group, machine or role for each thing. */
const acts: readonly (readonly [what: string, most: number, act: Act])[] = [
  ["an exclusion of a machine", 23_000, (turn) => line(`exclude ${machine(ofJobs + turn)} for 2h --another`)(turn)],
  ["an exclusion of a group", 43_000, (turn) => line(`keep payments-jobs-qa up for ${30 + turn}m --another`)(turn)],
  ["status", 22_000, line("status")],
  ["the status of a group", 37_000, line("status payments-jobs-qa")],
  ["what runs next", 30_000, line("next")],
  ["why", 30_000, line(`why ${machine(ofJobs)}`)],
  ["what is running", 85_000, line("running")],
  ["a list", 11_000, line("groups")],
  ["a stranger's question", 26_000, line("what stops tonight", "dave", "ops")],
  ["a Home tab", 49_000, home("person0003")],
  ["the Home tab of somebody in twenty teams", 165_000, home("alice")],
  ["the Home tab of an admin", 44_000, home("carol")],
];

// In this order: a Home tab that was opened is drawn again after each exclusion, which then takes more.
describe("in a company of 3,000 people, 400 groups, 20,000 machines and 60 teams", { shuffle: false }, () => {
  it.each(acts)("%s takes no more work than a few thousand calls", async (what, most, act) => {
    const calls = await callsFor(act);
    expect(calls, what).toBeLessThan(most);
  });

  it("an exclusion of a group that is off looks at its machines together", async () => {
    clock.advance(8.5 * 3_600_000);
    const calls = await callsFor((turn) => line(`keep payments-jobs-qa up for ${30 + turn}m --another`)(turn));
    clock.advance(-8.5 * 3_600_000);
    // With the Home tabs that were opened. Looking at each of its fifty machines took 339,000.
    expect(calls).toBeLessThan(60_000);
  });

  it("each team may do what its role says, and nothing else", async () => {
    const [ofWeb, ofApi] = [0, 50];
    const says = async (who: string, text: string, where: string) => (await ask(curfew, who, text, where)).text;
    expect(await says("person0001", `exclude ${machine(ofApi)} for 1h`, "payments-api")).toContain("Keeping ");
    expect(await says("person0001", `exclude ${machine(ofWeb)} for 1h`, "payments-api")).toContain(
      "only for the groups",
    );
    expect(await says("person0000", `exclude ${machine(ofWeb)} for 1h`, "payments-web")).toContain("Keeping ");
    expect(await says("person0003", `exclude ${machine(ofJobs + 9)} for 9h`, channel)).toContain("at most 8 h");
    expect(await says("dave", `exclude ${machine(ofWeb)} for 1h`, "ops")).toContain("You can't ");
  });

  it("asks Slack for the members of all groups twice a minute at most", async () => {
    clock.advance(120_000);
    await line("whoami")(0);
    const before = readsOf("usergroups.list");
    for (let turn = 0; turn < 24; turn++) {
      clock.advance(5000);
      await ask(curfew, "person0003", "whoami", channel);
      await curfew.workspace.changes.setGroup("helpdesk", turn % 2 ? ["bob"] : ["bob", "dave"]);
    }
    expect(readsOf("usergroups.list") - before).toBeLessThanOrEqual(4);
  });
});
