import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exampleConfig } from "../support/start-curfew.ts";
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
const stories = () => alice.parts.activity ?? [];
const activity = (kind: string) =>
  stories()
    .flatMap((story) => [story, ...story.steps])
    .filter((line) => line.kind === kind);
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
    await alice.until(() => alice.parts.guide !== undefined);
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
  const told = (pattern: RegExp) => stories().find(({ text }) => pattern.test(text));
  const storyOf = async (pattern: RegExp, messages: string) => {
    await alice.until(() => told(pattern)?.messages === messages);
    const story = told(pattern);
    return [
      story?.text,
      ...(story?.steps ?? []).filter(({ kind }) => kind === "service").map((s) => `${s.text} ${s.outcome}`),
    ];
  };

  test("tells of one request from the typed line to the call and the messages", async () => {
    await type("alice", "/curfew exclude i-0a1 for 2h because of @bob in #ops --another");
    expect(await storyOf(/exclude i-0a1/, "answer that only alice sees · card in #ops")).toEqual([
      "alice typed “/curfew exclude i-0a1 for 2h because of @bob in #ops --another” in #ops",
      "ListActions · GET /api/Actions 200",
      "CreateActionExclusion · POST /api/ActionExclusions 200",
    ]);
  });

  test("tells of a button, a form and its errors, and leaves out what the form held", async () => {
    const { workspace } = sandbox.curfew;
    await type("dave", "/curfew user disable bob");
    await storyOf(/user disable/, "answer that only dave sees");
    await type("alice", "/curfew exclude");
    await storyOf(/exclude” in/, "form opened");
    await workspace.as("alice").fill({ What: "i-hidden" });
    await workspace.as("alice").submit();
    await alice.until(() => told(/sent the form/) !== undefined);
    expect(told(/sent the form/)?.text).toBe("alice sent the form “Keep running”");
    expect(JSON.stringify(stories().map(({ text, messages }) => [text, messages]))).not.toContain("i-hidden");
  });

  test("gives an answer to the request that it belongs to, even when another came in between", async () => {
    let answer = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      answer = resolve;
    });
    sandbox.curfew.service.faults.next({ kind: "held", until, acts: "before" });
    const typed = type("alice", "/curfew exclude i-0a1 for 2h");
    await alice.until(() => activity("service").length > 0);
    await type("bob", "/curfew whoami");
    answer();
    await typed;
    await storyOf(/exclude i-0a1/, "answer that only alice sees · card in #ops");
    await storyOf(/whoami/, "answer that only bob sees");
  });

  test("does not give a reminder to the person who acted hours ago", async () => {
    await type("alice", "/curfew exclude i-0a1 for 2h");
    await storyOf(/exclude i-0a1/, "answer that only alice sees · card in #ops");
    await sandbox.panel({ kind: "clock", to: friday + 100 * 60_000 });
    await alice.until(() => stories().at(-1)?.messages.includes("reply in a thread in #ops") === true);
    expect(stories().at(-1)).toMatchObject({ kind: "timer", text: "Curfew acted by itself" });
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
    await alice.until(() => alice.parts.guide?.done.includes("warned") ?? false);
    await alice.until(() => seen(" is kept running until "));
    // The next morning of the channel, which is in Berlin.
    expect([...service.account.exclusions.values()].at(-1)?.expiryDate).toMatch(/^2026-11-21T07:00:00/);
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
    await alice.until(() => seen("excluded i-0a2"));
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
    await alice.until(() => seen("Keeping i-0a1"));
  });

  test("show a fault planned by a script", async () => {
    sandbox.curfew.service.faults.next({ kind: "status", status: 500 });
    sandbox.curfew.workspace.faults.failNext("chat.postMessage", { error: "not_in_channel" });
    await type("alice", "hello");
    await alice.until(() => alice.parts.switches?.service === "other" && alice.parts.switches.slack === "other");
  });
});

describe("the guide", () => {
  const done = () => alice.parts.guide?.done ?? [];
  const removeMfa = async ({ curfew }: RunningPage): Promise<void> => {
    const bob = curfew.workspace.as("bob");
    await bob.type("/curfew user remove-mfa alice google-auth", "ops");
    await curfew.workspace.waitFor(() => bob.openView()?.submit);
    await bob.submit();
  };

  test("completes each step when its effect happens, no matter how", async () => {
    await alice.until(() => alice.parts.guide !== undefined);
    expect(done()).toEqual([]);
    await type("alice", "/curfew exclude i-0a1 for 2h");
    await alice.until(() => seen("Keeping i-0a1"));
    expect(done()).toEqual([]);
    await type("alice", "/curfew exclude i-0a1 i-0a2 for 2h");
    await alice.until(() => done().includes("line"));
    await type("dave", "/curfew user disable bob");
    await alice.until(() => done().includes("refused"));
    await sandbox.curfew.workspace.as("alice").type("/curfew exclude", "ops");
    await alice.until(() => Boolean(alice.parts.view?.submit));
    await sandbox.curfew.workspace.as("alice").fill({ What: "i-0a3" });
    await sandbox.curfew.workspace.as("alice").submit();
    await alice.until(() => done().includes("form"));
    const change = /change (chg-\w+)/.exec(
      sandbox.curfew.workspace.as("alice").messages("ops").at(-1)?.text ?? "",
    )?.[1];
    await type("alice", `/curfew undo ${change}`);
    await alice.until(() => done().includes("undone"));
    expect(done()).toEqual(["line", "form", "refused", "undone"]);
  });

  test("shows an approval request and completes the step when it is approved", async () => {
    await removeMfa(sandbox);
    await alice.until(() => alice.parts.guide?.approvalChannel === "security");
    expect(done()).not.toContain("approved");
    expect(alice.parts.guide?.isDoneWithoutApproval).toBe(false);
    const [card] = sandbox.curfew.workspace.as("carol").messages("security");
    if (card === undefined) throw new Error("There is no approval card in #security.");
    await sandbox.curfew.workspace.as("carol").press("Approve", card);
    await alice.until(() => done().includes("approved"));
  });

  test("ignores a denied card and does not count the denial as a refusal", async () => {
    const { workspace } = sandbox.curfew;
    await removeMfa(sandbox);
    await alice.until(() => alice.parts.guide?.approvalChannel === "security");
    const carol = workspace.as("carol");
    const change = /chg-\w+/.exec(carol.messages("security")[0]?.text ?? "")?.[0];
    await carol.type(`/curfew deny ${change} nobody asked`, "security");
    await workspace.waitFor(() => carol.messages("security").some(({ text }) => text.includes("You denied it")));
    await alice.until(() => alice.parts.guide?.approvalChannel === null);
    expect(alice.parts.guide).toMatchObject({ done: [], isDoneWithoutApproval: false });
  });

  test("notices that no approval was needed", async () => {
    const other = await startPage("nowhere", { config: exampleConfig });
    const bob = await watchPage(other.url, "bob");
    try {
      await removeMfa(other);
      await bob.until(() => bob.parts.guide?.isDoneWithoutApproval === true);
      expect(bob.parts.guide).toMatchObject({ done: [], approvalChannel: null });
    } finally {
      await bob.close();
      await other.stop();
    }
  });
});
