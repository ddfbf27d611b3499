import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { createClock } from "../support/clock.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";
import { openTcpGate, type TcpGate } from "../support/tcp-gate.ts";

/** A round trip is a wait for the database before the next statement can be sent. Each statement of a transaction is one, and so are its `begin` and `commit`. */
const roundTrips = 20;
/** To the history, each sent with its commit. */
const appends = 2;

test("a creation by line waits for the database 20 times, from its arrival until its outcome is stored", async () => {
  let gate: TcpGate | undefined;
  const count = { statements: 0, settledAfter: { statements: 0, roundTrips: 0 } };
  // A working day in Berlin: of what is off by its schedule more is looked up.
  const { now } = createClock(Date.parse("2026-11-25T12:00:00Z"));
  const curfew = await startCurfew({ config: unlimitedConfig, now });
  await curfew.restart({
    heartbeatEveryMs: 3_600_000,
    openStore: async (database, options) => {
      const { hostname, port } = new URL(database);
      gate = await openTcpGate({ host: hostname, port: Number(port) });
      const onQuery = () => {
        count.statements += 1;
      };
      const gated = gate.before(database);
      const store = await openStore(gated, { ...options, currentUrl: () => gated, onQuery });
      const settle: typeof store.settle = async (...outcome) => {
        await store.settle(...outcome);
        count.settledAfter = { statements: count.statements, roundTrips: gate?.roundTrips ?? 0 };
      };
      return { ...store, settle };
    },
  });
  onTestFinished(async () => {
    await curfew.stop();
    await gate?.close();
  });
  const alice = curfew.workspace.as("alice");
  // The first one also reads the service's actions and stores their projects.
  await alice.type("/curfew exclude i-0a1 for 2h because demo", "ops");
  await curfew.app.idle();
  const before = { statements: count.statements, roundTrips: gate?.roundTrips ?? 0 };
  await alice.type("/curfew exclude i-0a2 for 2h because demo", "ops");
  expect(count.settledAfter.roundTrips - before.roundTrips).toBe(roundTrips);
  expect(count.settledAfter.statements - before.statements).toBe(roundTrips + appends);
});
