import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { createAudit } from "../../src/changes/audit.ts";
import { auditEventSchema } from "../../src/store/history/audit-event.ts";
import { aChange, aSettlement, minuteMs, noon, quietLog } from "../changes/build.ts";
import { openRaw } from "../store/history-file.ts";
import { newDatabaseFile, openTestStore } from "../store/open-test-store.ts";
import { askFor, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { callLine } from "../support/as-caller.ts";
import { eventsExported, eventsLogged } from "../support/audit-events.ts";
import { ask, askWithNewId } from "../support/journey.ts";
import { newDatabase, urlOf } from "../support/new-database.ts";
import { exampleConfig, startCurfew } from "../support/start-curfew.ts";
import { runWithArgs } from "./run-with-args.ts";

const audit = (line: string, database: string) =>
  runWithArgs(["audit", ...line.split(" ")], { env: { DATABASE_URL: urlOf(database) } });

/** Two changes a minute apart, on a store that stays open. */
async function twoChanges(reason: string | null = null): Promise<string> {
  const file = await newDatabase();
  const store = await openTestStore(file);
  for (const [index, id] of ["chg-1", "chg-2"].entries()) {
    const requestedAt = noon + index * minuteMs;
    await store.begin(aChange({ id, requestedAt, reason }));
    await store.settle(id, aSettlement({ settledAt: requestedAt + 1000 }));
  }
  return file;
}

const line = z.strictObject({
  sequence: z.number(),
  time: z.string(),
  previousHash: z.string(),
  hash: z.string(),
  texts: z.strictObject({ salt: z.string().length(32), texts: z.array(z.string()) }).optional(),
  content: z.looseObject({ changeId: z.string(), state: z.string() }),
});
const linesOf = (output: string) =>
  output
    .split("\n")
    .filter(Boolean)
    .map((text) => ({ text, ...line.parse(JSON.parse(text)) }));

test("audit verify prints the transition count and the head, with the last hash of the export", async () => {
  const file = await twoChanges();
  const { code, output, errors } = await audit("verify", file);
  const last = linesOf((await audit("export", file)).output).at(-1);
  expect([code, errors]).toEqual([0, ""]);
  expect(output).toBe(`4 transitions, chain intact\nhead 4:${last?.hash}\n`);
});

test("audit verify reports the first break, with exit code 1", async () => {
  const file = await twoChanges();
  const db = openRaw(file);
  await db.updateTable("transition").set({ at: 0 }).where("sequence", "=", 3).execute();
  const errors = "The history is broken at transition 3 (change chg-2): its content was altered.\n";
  expect(await audit("verify", file)).toEqual({ code: 1, output: "", errors });
  await db.deleteFrom("transition").where("sequence", ">", 2).execute();
  const atEnd = "The history is broken at its end: the head counts 4 transitions, but there are 2.\n";
  expect(await audit("verify", file)).toEqual({ code: 1, output: "", errors: atEnd });
});

test("audit verify detects a cut with a reset head, and changes since a saved head", async () => {
  const file = await twoChanges();
  const db = openRaw(file);
  const [, second, third, last] = linesOf((await audit("export", file)).output);
  expect(await audit(`verify --expect 4:${last?.hash}`, file)).toMatchObject({ code: 0 });
  expect(await audit(`verify --expect 2:${second?.hash}`, file)).toMatchObject({ code: 0, errors: "" });
  expect(await audit(`verify --expect 0:${"0".repeat(64)}`, file)).toMatchObject({ code: 0 });
  const other = "The history is broken at transition 2: it, or one before it, is not the expected one.\n";
  expect(await audit(`verify --expect 2:${third?.hash}`, file)).toEqual({ code: 1, output: "", errors: other });

  for (const table of ["transition", "change"] as const)
    await db
      .deleteFrom(table)
      .where(table === "change" ? "id" : "change_id", "=", "chg-2")
      .execute();
  await db
    .updateTable("history_head")
    .set({ length: 2, hash: second?.hash ?? "" })
    .execute();
  expect(await audit("verify", file)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`head 2:${second?.hash}`),
  });
  const cut = "The history is broken at its end: it had 4 transitions and now has 2: at least 2 were cut off.\n";
  expect(await audit(`verify --expect 4:${last?.hash}`, file)).toEqual({ code: 1, output: "", errors: cut });
});

test("audit export writes one JSON line per transition, oldest first, with a verifiable hash", async () => {
  const lines = linesOf((await audit("export", await twoChanges())).output);
  expect(lines.map(({ sequence, time, content }) => [sequence, time, content.changeId, content.state])).toEqual([
    [1, "2026-11-20T12:00:00.000Z", "chg-1", "performing"],
    [2, "2026-11-20T12:00:01.000Z", "chg-1", "succeeded"],
    [3, "2026-11-20T12:01:00.000Z", "chg-2", "performing"],
    [4, "2026-11-20T12:01:01.000Z", "chg-2", "succeeded"],
  ]);
  expect(lines[0]?.content).toMatchObject({ change: { actor: { userId: "U01ALICE" }, role: "engineer" } });
  expect(lines[1]?.content).toMatchObject({ outcome: { subjectId: "ae-1", error: null } });
  for (const { text, previousHash, hash, texts, content: facts } of lines) {
    const content = text.slice(text.indexOf('"content":') + '"content":'.length, -1);
    const covered = `{"content":${content},"previous":"${previousHash}"}`;
    expect(createHash("sha256").update(covered).digest("hex")).toBe(hash);
    // What may be about a person is apart, under a hash that is covered.
    const apart = texts && createHash("sha256").update(JSON.stringify(texts)).digest("hex");
    expect(apart).toBe(facts.texts);
  }
});

test("audit export starts at the given date", async () => {
  const file = await twoChanges();
  const sequences = async (since: string) =>
    linesOf((await audit(`export --since ${since}`, file)).output).map(({ sequence }) => sequence);
  expect(await sequences("2026-11-20")).toEqual([1, 2, 3, 4]);
  expect(await sequences("2026-11-20T13:01:00+01:00")).toEqual([3, 4]);
  expect(await sequences("2026-11-21")).toEqual([]);
});

test("audit export writes CSV that a spreadsheet reads without running formulas", async () => {
  const { output } = await audit("export --format csv", await twoChanges('=HYPERLINK("http://x"), said\nshe'));
  expect(output).toMatch(/^sequence,time,change,state,words,operation,actor,channel,reason,/);
  expect(output).toContain(`,C0OPS,"'=HYPERLINK(""http://x""), said\nshe",engineer,`);
  expect(output).toContain("\r\n2,2026-11-20T12:00:01.000Z,chg-1,succeeded,,,,");
  expect(output.split("\r\n")).toHaveLength(6);
});

const eventSchema = z.toJSONSchema(auditEventSchema);

test("the schema of audit events in manifest is that of the code", async () => {
  const text = `${JSON.stringify(eventSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../manifest/audit-event.schema.json");
});

test("each audit event is a line of the log, and a collector that was away gets what it missed", async () => {
  const curfew = await startCurfew({ config: usersNeedAnAdmin });
  onTestFinished(() => curfew.stop());
  const isValid = new Ajv2020().compile(eventSchema);
  const { changeId } = await ask(curfew, "alice", "exclude i-0a1 for 2h because Bob’s migration");
  const seen = eventsLogged(curfew).at(-1)?.cursor ?? 0;
  const asked = await askFor(curfew, "bob", "user disable dave@example.com because he lost his phone");
  await press(curfew, "carol", "Approve", asked.card);
  await curfew.app.idle();
  const all = await eventsExported(curfew);
  expect(all).toEqual(eventsLogged(curfew));
  expect(all.map(({ cursor }) => cursor)).toEqual(all.map((_event, index) => index + 1));
  for (const each of all) expect([isValid(each), isValid.errors]).toEqual([true, null]);
  for (const [index, { previousHash }] of all.entries())
    expect(previousHash).toBe(all[index - 1]?.hash ?? "0".repeat(64));
  expect(all.filter(({ change }) => change === changeId)).toMatchObject([
    { event: "change", state: "performing", command: "exclusion create", actor: "U01ALICE", channel: "C0OPS" },
    { event: "change", state: "succeeded", subject: expect.stringMatching(/^aex-/), error: null },
  ]);
  expect(all.filter(({ change }) => change === asked.changeId)).toMatchObject([
    { event: "change", state: "awaiting-approval", command: "user disable", actor: "U02BOB", rule: expect.any(String) },
    { event: "notice", notified: "U04DAVE" },
    { event: "decision", state: "approved", actor: "U03CAROL", verdict: "approved" },
    { event: "change", state: "performing" },
    { event: "change", state: "succeeded", subject: "u-00000004" },
    { event: "notice", notified: "U04DAVE" },
  ]);
  expect(JSON.stringify(all)).not.toMatch(/alice|@|migration|phone/);
  const missed = await eventsExported(curfew, seen);
  expect(missed[0]?.cursor).toBe(seen + 1);
  expect(missed).toEqual(all.slice(seen));
  const { cursor, hash } = all.at(-1) ?? {};
  expect(await audit(`verify --expect ${cursor}:${hash}`, curfew.database)).toMatchObject({ code: 0 });
});

test("refusals, imports, and limits and bad tokens by the minute are audit events too, which the check covers", async () => {
  const curfew = await startCurfew({
    config: exampleConfig.replace("perPersonPerMinute: 30", "perPersonPerMinute: 1"),
  });
  onTestFinished(() => curfew.stop());
  await ask(curfew, "dave", "exclude i-0a1 for 4h because of bob");
  for (const line of ["status", "status", "status"]) await ask(curfew, "carol", line);
  for (const token of ["guessed", "guessed-again"]) await callLine(curfew, "status", { token });
  const users = "id,name,email\nu-00000007,Erin,erin@example.com\nu-00000008,Frank,frank@example.com\n";
  const imported = await runWithArgs(["directory", "import", "users.csv"], {
    env: { DATABASE_URL: urlOf(curfew.database) },
    files: { "users.csv": users },
  });
  expect(imported).toMatchObject({ code: 0, errors: "" });
  await curfew.app.stop();
  const events = await eventsExported(curfew);
  expect(events).toMatchObject([
    { event: "config-in-force", actor: "operator:start", loosens: [] },
    { event: "refused", command: "exclusion create", actor: "U04DAVE", channel: "C0OPS", rule: "default deny" },
    { event: "imported", actor: "operator:import", count: 2 },
    { event: "limited", actor: "U03CAROL", count: 2 },
    { event: "bad-token", count: 2 },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/bob|Erin|@|guessed/);
  // Another process imported, and has no log.
  expect(eventsLogged(curfew)).toEqual(events.filter(({ event }) => event !== "imported"));
  expect((await audit("verify", curfew.database)).output).toMatch(/^5 transitions, chain intact\n/);
  const altered = openRaw(curfew.database);
  const [row] = await altered.selectFrom("transition").selectAll().where("state", "=", "refused").execute();
  const content_json = row?.content_json.replace("U04DAVE", "U02BOB") ?? "";
  await altered.updateTable("transition").set({ content_json }).where("state", "=", "refused").execute();
  const errors = "The history is broken at transition 2: its content was altered.\n";
  expect(await audit("verify", curfew.database)).toEqual({ code: 1, output: "", errors });
});

test("counts by the minute, and goes on when an event cannot be recorded", async () => {
  const recorded: unknown[] = [];
  const appendEvent = async (name: string, _at: number, event: object) => {
    if (name === "refused") throw new Error("no database");
    recorded.push([name, event]);
  };
  const counting = createAudit({ store: { appendEvent }, now: () => noon, log: quietLog, countMs: 20 });
  for (const actor of ["U1", "U2", "U1"]) counting.limited(actor);
  counting.refused({ command: "status", actor: "U1", channel: null, rule: "default deny" });
  counting.badToken();
  await vi.waitFor(() => expect(recorded).toHaveLength(3));
  counting.limited("U1");
  await counting.stop();
  expect(recorded).toEqual([
    ["limited", { actor: "U1", count: 2 }],
    ["limited", { actor: "U2", count: 1 }],
    ["bad-token", { count: 1 }],
    ["limited", { actor: "U1", count: 1 }],
  ]);
});

test("audit export refuses a cursor that the history does not reach, and options that do not go together", async () => {
  const file = await twoChanges();
  const { code, output, errors } = await audit("export --after 5", file);
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toMatch(/it ends at 4, before 5: a part was cut off, or a backup was restored/);
  expect((await audit("export --after 4", file)).output).toBe("");
  expect((await audit("export --after x", file)).errors).toContain("--after must be a number");
  const both = await audit("export --after 1 --format csv", file);
  expect([both.code, both.errors]).toEqual([1, expect.stringContaining("--after goes without --since and --format")]);
});

test.each(["verify", "export"])("audit %s reports a missing database and creates none", async (subcommand) => {
  const file = newDatabaseFile();
  const { code, output, errors } = await audit(subcommand, file);
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toContain(`${file} does not exist.`);
  expect(readdirSync(dirname(dirname(file)))).toEqual([]);
});

test.each(["verify", "export"])("audit %s reports a file that is not a database", async (subcommand) => {
  const folder = mkdtempSync(join(tmpdir(), "curfew-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "notes.txt");
  writeFileSync(file, "no database, and long enough to be looked at. ".repeat(50));
  const { code, output, errors } = await audit(subcommand, file);
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toMatch(/notes\.txt cannot be read: .*not a database/);
});

test("audit reports a wrong DATABASE_URL", async () => {
  const { code, errors } = await runWithArgs(["audit", "verify"], { env: { DATABASE_URL: "mysql://x" } });
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/^DATABASE_URL must be sqlite:<path>, .*, or postgres:.*\n$/),
  ]);
});

test("audit stops on a stop request", async () => {
  const env = { DATABASE_URL: urlOf(await twoChanges()) };
  const { code } = await runWithArgs(["audit", "verify"], { env, stopAsked: Promise.resolve() });
  expect(code).toBe(130);
});

test("the history verifies while Curfew runs, and its export holds no key", async () => {
  const secretsDir = mkdtempSync(join(tmpdir(), "curfew-keys-"));
  const key = { accessKeyId: "AKIAI44QH8DHBNEWKEY1", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
  mkdirSync(join(secretsDir, "cred-00000002"));
  writeFileSync(join(secretsDir, "cred-00000002", "access.json"), JSON.stringify(key));
  const curfew = await startCurfew({ secretsDir });
  onTestFinished(async () => {
    await curfew.stop();
    rmSync(secretsDir, { recursive: true });
  });
  await ask(curfew, "alice", "exclude i-0a1 for 2h");
  await askWithNewId(
    curfew,
    "carol",
    "credential edit cred-00000002 --sub-type amazon-standard --key-file access.json",
  );
  const { output: verified } = await audit("verify", curfew.database);
  const { output: jsonl } = await audit("export", curfew.database);
  const { output: csv } = await audit("export --format csv", curfew.database);
  expect(verified).toMatch(/^5 transitions, chain intact\n/);
  for (const exported of [jsonl, csv]) {
    expect(exported).toContain("access.json");
    for (const secret of [...Object.values(key), curfew.workspace.botToken, curfew.service.apiKey])
      expect(exported).not.toContain(secret);
  }
});
