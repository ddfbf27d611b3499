import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClock } from "../support/clock.ts";
import { ask } from "../support/journey.ts";
import { startCurfew } from "../support/start-curfew.ts";

const inTime = { timeout: 20_000, interval: 20 };
/** Older than any result of the probe may be. */
const probeAgedMs = 6000;

async function started() {
  const clock = createClock();
  const curfew = await startCurfew({ now: clock.now });
  const admin = new pg.Client(curfew.database);
  await admin.connect();
  onTestFinished(async () => {
    await curfew.stop();
  });
  onTestFinished(() => admin.end());
  const ready = async () => {
    const answer = await fetch(`${curfew.url}/readyz`);
    return [answer.status, await answer.text()];
  };
  return { curfew, admin, ready, clock };
}

const unwritable = [503, "not ready: the database cannot be written to\n"];

describe("PostgreSQL", { timeout: 60_000 }, () => {
  it("makes Curfew unready while it is read-only, like a replica", async () => {
    const { curfew, admin, ready, clock } = await started();
    const name = new URL(curfew.database).pathname.slice(1);
    const setReadOnly = async (isReadOnly: boolean) => {
      await admin.query(`set default_transaction_read_only = off`);
      await admin.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
      // Open connections keep their settings.
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
        [name],
      );
      clock.advance(probeAgedMs);
    };
    expect(await ready()).toEqual([200, expect.stringMatching(/^ready\nconfig [0-9a-f]{64} in force since /)]);
    await setReadOnly(true);
    await vi.waitFor(async () => expect(await ready()).toEqual(unwritable), inTime);
    await setReadOnly(false);
    await vi.waitFor(
      async () =>
        expect(await ready()).toEqual([200, expect.stringMatching(/^ready\nconfig [0-9a-f]{64} in force since /)]),
      inTime,
    );
  });

  it("makes Curfew unready when it has no space for a change, even if a small row fits", async () => {
    const { curfew, admin, ready } = await started();
    await admin.query(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await admin.query("create trigger full_disk before insert on change for each row execute function full_disk()");
    expect(await ready()).toEqual([200, expect.stringMatching(/^ready\nconfig [0-9a-f]{64} in force since /)]);
    expect((await ask(curfew, "carol", "exclude staging for 1h")).text).toContain("Nothing was changed");
    expect(await ready()).toEqual(unwritable);
  });
});
