import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RunningPage, startPage } from "./start-page.ts";
import { type WatchedPage, watchPage } from "./watch-page.ts";

/** A Friday in winter. "Stop staging at 19:00" in London is due that evening. */
const friday = Date.parse("2026-11-20T12:00:00.000Z");
const due = Date.parse("2026-11-20T19:00:00.000Z");

let sandbox: RunningPage;
let alice: WatchedPage;
beforeEach(async () => {
  const startedAt = Date.now();
  sandbox = await startPage("nowhere", { now: () => friday + Date.now() - startedAt });
  alice = await watchPage(sandbox.url, "alice");
});
afterEach(async () => {
  await alice.close();
  await sandbox.stop();
});

const type = (as: string, text: string) => sandbox.act(as, { kind: "type", text, where: "ops" });
const rows = (name: string) => alice.parts.tables?.find((table) => table.name === name)?.rows ?? [];
const lines = () => alice.parts.activity ?? [];
const activity = (kind: string) => lines().filter((line) => line.kind === kind);
const seen = (text: string) => JSON.stringify(alice.conversations.ops).includes(text);

describe("the service tables", () => {
  test("show a change and the request that made it", async () => {
    await type("alice", "/curfew exclude i-0a1 for 2h");
    await alice.until(() => rows("Exclusions")[0]?.cells[1] === "i-0a1");
    expect(rows("Exclusions")[0]).toMatchObject({
      cells: [expect.any(String), "i-0a1", "stop-resource", "20 Nov, 15:00", "in force"],
      isFaded: false,
      details: expect.stringContaining('"actionExclusionId"'),
    });
    await alice.until(() => activity("service").some(({ outcome }) => outcome === "200"));
    const created = activity("service").find(({ text }) => text.startsWith("CreateActionExclusion"));
    expect(created).toMatchObject({ text: "CreateActionExclusion · POST /api/ActionExclusions", isTrouble: false });
    expect(created?.details).toContain('"i-0a1"');
  });

  test("show every kind of data without any key", async () => {
    await alice.until(() => alice.parts.switches !== undefined);
    expect(alice.parts.tables?.map(({ name, rows: all }) => [name, all.length > 0])).toEqual(
      ["Exclusions", "Actions", "Users", "Projects", "Credentials", "Policies", "Plans", "Selectors"].map((name) => [
        name,
        true,
      ]),
    );
    const { account } = sandbox.curfew.service;
    const credential = account.credentials.get("cred-00000002");
    if (credential === undefined) throw new Error("The seed has no such credential.");
    const key = { accessKeyId: "AKIA1", secretAccessKey: "very-secret" };
    account.credentials.set("cred-00000002", { ...credential, amazonIamAccessKey: key });
    await type("alice", "hello");
    await alice.until(() => alice.received.includes("AKIA1"));
    expect(alice.received).not.toContain("very-secret");
    const { baseUrl, apiKey } = sandbox.curfew.service;
    expect(alice.parts.service).toEqual({ baseUrl, apiKey });
    expect(JSON.stringify([alice.parts.tables, alice.parts.activity])).not.toContain(apiKey);
  });
});

describe("the activity", () => {
  const said = () => lines().map(({ kind, text, outcome }) => `${kind}: ${text} ${outcome}`.trim());

  test("shows what one line made Curfew write to the database, the service and Slack", async () => {
    await type("alice", "/curfew exclude i-0a1 for 2h because of @bob in #ops --another");
    await alice.until(() => said().includes("slack: card in #ops"));
    const [typed, recorded, created, settled, ...sent] = said();
    expect(typed).toBe("person: alice typed “/curfew exclude i-0a1 for 2h because of @bob in #ops --another” in #ops");
    expect(recorded).toMatch(/^database: .*change.*transition/);
    expect(created).toBe("service: CreateActionExclusion · POST /api/ActionExclusions 200");
    expect(settled).toMatch(/^database: .*change.*outbox/);
    expect(sent).toEqual(expect.arrayContaining(["slack: private answer", "slack: card in #ops"]));
  });

  test("shows a button, a form and its errors, and leaves out what the form held", async () => {
    const { workspace } = sandbox.curfew;
    await type("alice", "/curfew exclude");
    await alice.until(() => said().includes("slack: form opened"));
    await workspace.as("alice").fill({ What: "i-hidden" });
    await workspace.as("alice").submit();
    await alice.until(() => said().includes("person: alice sent the form “Keep running”"));
    expect(JSON.stringify(lines())).not.toContain("i-hidden");
  });

  test("leaves out what a timer writes to the database", async () => {
    await type("alice", "/curfew whoami");
    await alice.until(() => said().includes("slack: private answer"));
    await sandbox.curfew.app.watch();
    await sandbox.curfew.app.idle();
    expect(said().at(-1)).toBe("slack: private answer");
  });
});

describe("the clock", () => {
  test("moved to half an hour before a stop shows the warning, and Tonight keeps staging running", async () => {
    await alice.until(() => alice.parts.clock?.stops.some(({ text }) => text.startsWith("a warning that")) ?? false);
    const stop = alice.parts.clock?.stops.find(({ text }) => text.startsWith("a warning that"));
    expect(stop).toEqual({ at: due - 30 * 60_000, text: "a warning that “Stop staging at 19:00” comes up" });
    await sandbox.panel({ kind: "clock", to: due - 30 * 60_000 });
    await alice.until(() => seen("Tonight"));
    const { workspace, service } = sandbox.curfew;
    const warning = workspace.channel("ops").messages.find(({ blocks }) => JSON.stringify(blocks).includes("Tonight"));
    if (!warning) throw new Error("There is no warning.");
    await workspace.as("alice").press("Tonight", warning);
    await alice.until(() => seen(" is kept running until "));
    // Midnight in the channel, which is in Berlin.
    expect([...service.account.exclusions.values()].at(-1)?.expiryDate).toMatch(/^2026-11-20T23:00:00/);
  });

  test("moved past an excluded run, shows that it was skipped and why", async () => {
    await type("alice", '/curfew exclude i-0a1 i-0a2 for 9h --name "Demo"');
    await alice.until(() => alice.parts.clock?.stops.some(({ at }) => at === due) ?? false);
    expect(alice.parts.clock?.stops.find(({ at }) => at === due)?.text).toBe(
      "“Stop staging at 19:00” is due and will be skipped",
    );
    await sandbox.panel({ kind: "clock", to: due + 1 });
    await alice.until(() => activity("run").some(({ text }) => text === "Stop staging at 19:00"));
    expect(activity("run").find(({ text }) => text === "Stop staging at 19:00")).toMatchObject({
      outcome: "skipped, excluded by Demo",
      at: due,
    });
    expect(activity("run").find(({ text }) => text === "Stop staging databases")?.outcome ?? "ran").toBe("ran");
  });

  test("is shared by workspace, service and bot, and ends exclusions", async () => {
    await type("alice", '/curfew exclude i-0a1 for 2h --name "Short"');
    await alice.until(() => rows("Exclusions")[0]?.cells[0] === "Short");
    await sandbox.panel({ kind: "clock", to: friday + 3 * 3_600_000 });
    await alice.until(() => rows("Exclusions")[0]?.cells[4] === "expired");
    await alice.until(() => (alice.parts.clock?.aheadMs ?? 0) > 2 * 3_600_000);
    await type("alice", '/curfew exclude i-0a2 for 1h --name "Later"');
    await alice.until(() => rows("Exclusions")[0]?.cells[0] === "Later");
    expect(rows("Exclusions")[0]?.cells[3]).toBe("20 Nov, 17:00");
    await alice.until(() => seen("i-0a2"));
    expect(alice.conversations.ops?.messages.at(-1)?.at).toBeGreaterThan(friday + 3 * 3_600_000);
  });

  test("moved forward, sends the reminder before an exclusion's end, then shows it as ended", async () => {
    await type("alice", '/curfew exclude i-0a1 for 2h --name "Short"');
    await alice.until(() => seen("i-0a1"));
    const messages = (where: string) => alice.conversations[where]?.messages ?? [];
    const before = messages("dm").length;
    await sandbox.panel({ kind: "clock", to: friday + 100 * 60_000 });
    await alice.until(() => messages("dm").length === before + 1 && messages("ops").some((each) => each.threadTs));
    expect(JSON.stringify(messages("dm").at(-1))).toContain("You're keeping ");
    expect(JSON.stringify(messages("ops").find((each) => each.threadTs))).toContain('"text":"Extend…"');
    await sandbox.panel({ kind: "clock", to: friday + 125 * 60_000 });
    await alice.until(() => messages("ops").some((each) => each.isEdited));
    expect(JSON.stringify(messages("ops").find((each) => each.isEdited))).not.toContain('"text":"End now"');
  });

  test("moves only forward, and at most a year", async () => {
    expect(await sandbox.panel({ kind: "clock", to: friday - 1 })).toEqual({ ok: true });
    expect(sandbox.sandbox.clock.aheadMs).toBe(0);
    expect(await sandbox.panel({ kind: "clock", to: friday + 400 * 86_400_000 })).toMatchObject({
      ok: false,
      error: expect.stringContaining("a year ahead"),
    });
  });
});

describe("the switches", () => {
  test("take the service down until it is switched on again, and the requester is notified", async () => {
    await sandbox.panel({ kind: "service", fault: "down" });
    await alice.until(() => alice.parts.switches?.service === "down");
    await type("alice", "/curfew exclude i-0a1 for 2h");
    await alice.until(() => seen("nothing was changed"));
    await sandbox.panel({ kind: "service", fault: "down" });
    await sandbox.panel({ kind: "service", fault: "none" });
    await alice.until(() => alice.parts.switches?.service === "none");
    await type("alice", "/curfew exclude i-0a2 for 2h");
    await alice.until(() => seen("Done.") && seen("is keeping *i-0a2* running until "));
  });

  test("lose an answer once, and the requester learns that the change may have happened", async () => {
    await sandbox.panel({ kind: "service", fault: "lost" });
    await alice.until(() => alice.parts.switches?.service === "lost");
    await type("alice", "/curfew exclude i-0a1 for 2h");
    await alice.until(() => seen("Curfew does not know whether"));
    await alice.until(() => rows("Exclusions")[0]?.cells[1] === "i-0a1" && alice.parts.switches?.service === "none");
    expect(activity("service").filter(({ outcome }) => outcome === "no answer")).toHaveLength(1);
  });

  test("keep the service slow until another fault replaces it", async () => {
    await sandbox.panel({ kind: "service", fault: "slow" });
    await alice.until(() => alice.parts.switches?.service === "slow");
    expect(sandbox.curfew.service.faults.planned).toMatchObject([{ left: Number.POSITIVE_INFINITY }]);
    await sandbox.panel({ kind: "service", fault: "none" });
    expect(sandbox.curfew.service.faults.planned).toEqual([]);
  });

  test("take Slack down or rate limit it, and bring it back", async () => {
    await sandbox.panel({ kind: "slack", fault: "down" });
    await alice.until(() => alice.parts.switches?.slack === "down");
    await type("alice", "/curfew whoami");
    await alice.until(() =>
      activity("slack").some(({ outcome, isTrouble }) => outcome === "disconnected" && isTrouble),
    );
    await sandbox.panel({ kind: "slack", fault: "limited" });
    await alice.until(() => alice.parts.switches?.slack === "limited");
    await sandbox.panel({ kind: "slack", fault: "none" });
    await type("alice", "/curfew exclude i-0a1 for 2h");
    await alice.until(() => seen("Done."));
  });

  test("show a fault planned by a script", async () => {
    sandbox.curfew.service.faults.next({ kind: "status", status: 500 });
    sandbox.curfew.workspace.faults.failNext("chat.postMessage", { error: "not_in_channel" });
    await type("alice", "hello");
    await alice.until(() => alice.parts.switches?.service === "other" && alice.parts.switches.slack === "other");
  });
});
