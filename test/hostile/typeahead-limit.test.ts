import { beforeEach, describe, expect, test } from "vitest";
import { createHomes } from "../../src/slack/home/homes.ts";
import { noon, quietLog } from "../changes/build.ts";
import { openForm } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { exampleConfig } from "../support/start-curfew.ts";

const slow = 60_000;
const config = exampleConfig.replace("perPersonPerMinute: 30", "perPersonPerMinute: 4");
const { curfew, clock, person } = oneBot({ config });
beforeEach(() => clock.advance(61_000));

/** Sends a few at a time, so a busy machine answers while Slack waits. Returns how many had options. */
async function typeOften(who: string, count: number): Promise<number> {
  let answered = 0;
  for (let sent = 0; sent < count; sent += 10) {
    const some = Array.from({ length: 10 }, () => person(who).suggest("Project", "devel"));
    answered += (await Promise.all(some)).filter((options) => options.length > 0).length;
  }
  return answered;
}

/** The form with its field for the project. */
async function openWholeForm(who: string): Promise<void> {
  await openForm(curfew(), who, "exclude");
  await person(who).press("More…", "view");
  await curfew().workspace.waitFor(() => person(who).openView()?.fields.includes("Project") || undefined);
}

describe("one person's typing in forms", () => {
  test("is answered at typing speed, and does not count toward their commands", { timeout: slow }, async () => {
    await openWholeForm("alice");
    expect(await typeOften("alice", 150)).toBe(150);
    expect(await person("alice").type("/curfew whoami", "ops")).toEqual({ ok: true });
  });

  test("gets no options or updates over 300 requests a minute, while others continue", {
    timeout: slow,
  }, async () => {
    await openWholeForm("alice");
    await openWholeForm("carol");
    clock.advance(61_000);
    expect(await typeOften("alice", 320)).toBe(300);
    const calls = curfew().workspace.calls.length;
    await person("alice").fill({ "Resource type": "amazon-ec2-instance" });
    await curfew().app.idle();
    expect(curfew().workspace.calls.slice(calls)).toEqual([]);
    expect(await person("carol").suggest("Project", "devel")).not.toEqual([]);
    clock.advance(61_000);
    expect(await person("alice").suggest("Project", "devel")).not.toEqual([]);
  });

  test("that is longer than any name gets no options", async () => {
    await openWholeForm("carol");
    expect(await person("carol").suggest("Project", "p".repeat(150))).toHaveLength(1);
    expect(await person("carol").suggest("Project", "p".repeat(151))).toEqual([]);
  });
});

describe("one person's Home tab", () => {
  test("updates at most 30 times a minute, without delaying other people's", { timeout: slow }, async () => {
    const published = () => curfew().workspace.calls.filter(({ method }) => method === "views.publish").length;
    for (let count = 0; count < 40; count++) await person("alice").openHome();
    await curfew().app.idle();
    expect(published()).toBeLessThanOrEqual(30);
    await person("carol").openHome();
    await curfew().app.idle();
    for (const who of ["alice", "carol"]) expect(person(who).home()).toBeDefined();
  });

  test("is updated once more after many openings during an update", async () => {
    const letGo: (() => void)[] = [];
    const publish = () => new Promise<void>((resolve) => void letGo.push(resolve));
    const homes = createHomes({ publish, elapsedMs: () => noon, log: quietLog });
    const shown = Array.from({ length: 20 }, () => homes.show("alice"));
    letGo[0]?.();
    await shown[0];
    letGo[1]?.();
    await Promise.all(shown);
    expect(letGo).toHaveLength(2);
  });
});
