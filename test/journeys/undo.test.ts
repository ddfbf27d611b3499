import { describe, expect, it, onTestFinished } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { createGatedService } from "../support/gated-service.ts";
import {
  ask,
  askWithNewId,
  buttonsOn,
  type CommandReply,
  cardOf,
  changesSentTo,
  messagesAfter,
  nowOf,
  openForm,
  openFormWithNewId,
  send,
  textOf,
  threadOf,
} from "../support/journey.ts";
import { isOnPostgres } from "../support/on-postgres.ts";
import { oneBot } from "../support/one-bot.ts";
import { isEverything } from "../support/tiers.ts";
import { type UndoJourney, undoJourneys } from "./undo-journeys.ts";

const { curfew, clock } = oneBot();
const hourMs = 3_600_000;
const undoOf = (change: string) => JSON.stringify({ change });
const pressUndo = (who: string, on: StoredMessage, value?: string): Promise<CommandReply> =>
  messagesAfter(curfew(), who, () =>
    curfew()
      .workspace.as(who)
      .press("Undo", on, value ? { value } : {}),
  );
/** An undo needs dave's earlier state, so Curfew must know it first. */
const disabled = async () => {
  await ask(curfew(), "bob", "user enable dave@example.com");
  return ask(curfew(), "bob", "user disable dave@example.com");
};
const statusOfDave = () => curfew().service.account.users.get("u-00000004")?.status;

/** The ways to undo a change, each from the requester's reply. */
const ways: Readonly<Record<string, (journey: UndoJourney, done: CommandReply) => Promise<CommandReply>>> = {
  "a line": ({ by }, { changeId }) => ask(curfew(), by, `undo ${changeId}`),
  "the form": async ({ by }, { changeId }) => {
    const { message } = await ask(curfew(), by, `undo ${changeId} twice`);
    await curfew().workspace.as(by).press("Open the form", message);
    await curfew().workspace.waitFor(() => curfew().workspace.as(by).openView(), { what: "the form" });
    return send(curfew(), by, { Change: changeId });
  },
  "a line without an id": async ({ by }, { changeId }) =>
    pressUndo(by, (await ask(curfew(), by, "undo")).message, undoOf(changeId)),
  "the button on its answer": ({ by }, { message }) => pressUndo(by, message),
  "the button on its card": async ({ by }, { changeId }) => pressUndo(by, await cardOf(curfew(), changeId)),
  "the menu in the history": async ({ by }, { changeId }) => {
    const { message } = await ask(curfew(), by, "history mine");
    const value = `run:undo:${undoOf(changeId)}`;
    return messagesAfter(curfew(), by, () => curfew().workspace.as(by).press("Undo", message, { value }));
  },
};

/** Each journey one way, and each way by some journey; all combinations in the full run, on SQLite: the database is the same to them. */
const tried = undoJourneys.flatMap((journey, number) =>
  Object.keys(ways)
    // An exclusion's card has other buttons instead.
    .filter((way) => way !== "the button on its card" || !journey.words.startsWith("exclusion "))
    .filter((_way, index, all) => (isEverything && !isOnPostgres) || index === number % all.length)
    .map((way) => ({ words: journey.words, way, journey })),
);

describe("an undo", () => {
  it.each(tried)("of $words by $way restores the earlier state and is announced", async ({ journey, way }) => {
    const { by, line, operation, state, words } = journey;
    const ready = await line(curfew());
    const before = state(curfew(), ready);
    const done = await ask(curfew(), by, ready);
    expect(state(curfew(), ready)).not.toEqual(before);
    const card = await cardOf(curfew(), done.changeId);
    const sent = changesSentTo(curfew());
    const undone = await ways[way]?.(journey, done);
    expect(sent()).toEqual([operation]);
    expect(state(curfew(), ready)).toEqual(before);
    expect(undone?.text).toMatch(/^:white_check_mark: Undone\./);
    const undoId = undone?.changeId ?? "";
    const undoCard = await cardOf(curfew(), undoId);
    const isExclusion = words.startsWith("exclusion ");
    // Changes to an exclusion appear on its one card, and in its thread.
    if (isExclusion) expect(undoCard.ts).toBe(card.ts);
    else {
      expect(textOf(undoCard)).toContain("\nundo");
      expect((await ask(curfew(), "carol", `history ${undoId}`)).text).toContain(`Undoes: ${done.changeId}`);
      await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("undone by "), {
        what: "the card's new line",
      });
      expect(textOf(nowOf(curfew(), card))).toMatch(/undone by <@U0\d\w+>/);
    }
    expect(buttonsOn(nowOf(curfew(), card))).not.toContain("Undo");
    await curfew().app.idle();
    // Who undoes their own change is the only one who took part in it.
    expect(threadOf(curfew(), card).some(({ text }) => text.includes(undoId))).toBe(isExclusion);
  });

  it("can itself be undone", async () => {
    const { changeId } = await disabled();
    const undone = await ask(curfew(), "bob", `undo ${changeId}`);
    expect(statusOfDave()).toBe("enabled");
    expect(undone.text).toContain("Undone. You enabled dave.");
    await pressUndo("bob", undone.message);
    expect(statusOfDave()).toBe("disabled");
    await ask(curfew(), "bob", "user enable dave@example.com");
  });

  it("of an end makes the exclusion again until the same end, once", async () => {
    const { exclusionId } = await ask(curfew(), "alice", "exclude staging for 2h --another because demo");
    const { expiryDate } = curfew().service.account.exclusions.get(exclusionId) ?? {};
    const ended = await ask(curfew(), "alice", `exclusion end ${exclusionId}`);
    const undone = await pressUndo("alice", ended.message);
    expect(textOf(await cardOf(curfew(), undone.changeId))).toContain("demo, undo ·");
    expect(undone.text).toMatch(/^:white_check_mark: Undone\.[\s\S]* Keeping staging running/);
    expect(curfew().service.account.exclusions.get(undone.exclusionId)).toMatchObject({
      name: "alice: staging",
      expiryDate,
    });
    const sent = changesSentTo(curfew());
    await ask(curfew(), "alice", `undo ${ended.changeId}`);
    expect(sent()).toEqual([]);
  });

  it("continues with the earlier change after the later one is undone", async () => {
    const first = await ask(curfew(), "carol", 'project rename p-dev "First name"');
    const second = await ask(curfew(), "carol", 'project rename p-dev "Second name"');
    await ask(curfew(), "carol", `undo ${second.changeId}`);
    const card = await cardOf(curfew(), first.changeId);
    await pressUndo("carol", (await ask(curfew(), "carol", `history ${first.changeId}`)).message);
    expect(curfew().service.account.projects.get("p-dev")?.name).toBe("Development");
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("undone by <@U03CAROL>"));
    const again = await ask(curfew(), "carol", `undo ${first.changeId}`);
    expect(again.text).toMatch(/cannot be undone: you have undone it already/);
    expect((await ask(curfew(), "carol", `undo ${second.changeId}`)).text).toContain("you have undone it already");
  });

  it("followed by a redo leaves the change done", async () => {
    const first = await ask(curfew(), "carol", 'project rename p-dev "First name"');
    const second = await ask(curfew(), "carol", 'project rename p-dev "Second name"');
    const undone = await ask(curfew(), "carol", `undo ${second.changeId}`);
    const redone = await ask(curfew(), "carol", `undo ${undone.changeId}`);
    const { text } = await ask(curfew(), "carol", `undo ${first.changeId}`);
    expect(text).toContain(`you have changed the same thing since (change ${redone.changeId})`);
    await ask(curfew(), "carol", `undo ${redone.changeId}`);
    expect((await ask(curfew(), "carol", `undo ${first.changeId}`)).text).toContain("You renamed");
  });
});

describe("permission to undo a change", () => {
  it("is the permission for the opposite change, whoever made it", async () => {
    const { changeId } = await disabled();
    const card = await cardOf(curfew(), changeId);
    const sent = changesSentTo(curfew());
    for (const who of ["alice", "dave", "gina", "erin"]) {
      expect((await pressUndo(who, card)).text).toMatch(/^:no_entry: .* Nothing was changed\./);
      expect((await ask(curfew(), who, `undo ${changeId}`)).text).toMatch(/^:no_entry: .* Nothing was changed\./);
    }
    expect(sent()).toEqual([]);
    expect(buttonsOn(nowOf(curfew(), card))).toContain("Undo");
    await pressUndo("carol", card);
    await curfew().workspace.waitFor(() => textOf(nowOf(curfew(), card)).includes("undone by <@U03CAROL>"));
    expect(statusOfDave()).toBe("enabled");
  });

  it("is missing for another's exclusion when the role covers only one's own", async () => {
    const others = await ask(curfew(), "carol", "exclude staging for 2h --another");
    const sent = changesSentTo(curfew());
    const { text } = await ask(curfew(), "alice", `undo ${others.changeId}`);
    expect(text).toContain("Nothing was changed.");
    expect(sent()).toEqual([]);
  });

  it("decides who sees the button in the history", async () => {
    const { changeId } = await ask(curfew(), "carol", "project rename p-dev Workshop");
    const buttons = async (who: string) => buttonsOn((await ask(curfew(), who, `history ${changeId}`)).message);
    expect(await buttons("carol")).toEqual(["Undo"]);
    expect((await ask(curfew(), "alice", `history ${changeId}`)).text).toContain("carol renamed project Development");
    expect(await buttons("alice")).toEqual([]);
    await ask(curfew(), "carol", `undo ${changeId}`);
    expect(await buttons("carol")).toEqual([]);
  });
});

describe("a change is not undone", () => {
  it("when the same target was changed through Curfew since", async () => {
    const first = await disabled();
    const card = await cardOf(curfew(), first.changeId);
    const second = await ask(curfew(), "carol", "user enable dave@example.com");
    const why = `carol has changed the same thing since (change ${second.changeId})`;
    await refused("bob", first.changeId, why);
    expect((await pressUndo("bob", first.message)).text).toContain(why);
    expect((await pressUndo("bob", card)).text).toContain(why);
  });

  it("when it is already undone, even by a click at the same moment", async () => {
    const { changeId, message } = await disabled();
    const sent = changesSentTo(curfew());
    await messagesAfter(curfew(), "bob", () => curfew().workspace.as("bob").press("Undo", message, { times: 3 }));
    await curfew().workspace.waitFor(() => statusOfDave() === "enabled");
    await curfew().app.idle();
    expect(sent()).toEqual(["ModifyUser"]);
    await refused("carol", changeId, "bob has undone it already (change chg-");
  });

  it("twice by concurrent clicks in two places, and the second person sees who undid it", async () => {
    const done = await disabled();
    const card = await cardOf(curfew(), done.changeId);
    const gated = createGatedService(curfew().service);
    await curfew().app.stop();
    await curfew().restart({ service: gated.client });
    onTestFinished(async () => {
      await curfew().app.stop();
      await curfew().restart();
    });
    const sent = changesSentTo(curfew());
    const first = pressUndo("bob", done.message);
    await gated.reached;
    const others = [pressUndo("carol", card), ask(curfew(), "carol", `undo ${done.changeId}`, "security")];
    gated.open();
    const undoId = (await first).changeId;
    for (const { text } of await Promise.all(others)) {
      expect(text).toContain(`bob has undone it already (change ${undoId}).`);
    }
    expect(sent()).toEqual(["ModifyUser"]);
    expect(statusOfDave()).toBe("enabled");
  });

  it("twice when Slack delivers the click twice, and its clicker sees the outcome", async () => {
    const { message } = await disabled();
    const { changeId } = await pressUndo("bob", message);
    const sent = changesSentTo(curfew());
    const outboxMessage = curfew().workspace.appRequests.findLast(({ type }) => type === "block_actions");
    if (!outboxMessage) throw new Error("Nothing was pressed.");
    const again = await messagesAfter(curfew(), "bob", () => curfew().workspace.redeliver(outboxMessage));
    expect(again.text).toContain("This was sent twice, and done once.");
    expect(again.changeId).toBe(changeId);
    expect(sent()).toEqual([]);
  });

  it("when Curfew saw the target changed elsewhere, except for its synchronization", async () => {
    const { changeId } = await ask(curfew(), "carol", "selector edit plan-00000001 sel-00000002 --name Databases");
    const { selectors } = curfew().service.account;
    const edited = selectors.get("sel-00000002");
    if (!edited) throw new Error("The account has no such selector.");
    const undoable = async () => {
      await ask(curfew(), "carol", "selector show plan-00000001 sel-00000002");
      return buttonsOn((await ask(curfew(), "carol", `history ${changeId}`)).message).includes("Undo");
    };
    selectors.set(edited.selectorId, { ...edited, syncState: "in-progress", lastModifiedDate: "2031-01-01T00:00:00Z" });
    expect(await undoable()).toBe(true);
    selectors.set(edited.selectorId, {
      ...edited,
      regionNames: ["eu-north-1"],
      lastModifiedDate: "2031-01-02T00:00:00Z",
    });
    expect(await undoable()).toBe(false);
    await refused("carol", changeId, "the thing has been changed elsewhere since");
    expect(selectors.get("sel-00000002")?.name).toBe("Databases");
  });

  it("when the id is unknown", async () => {
    expect((await ask(curfew(), "bob", "undo chg-nowhere")).text).toContain(
      "There is no change chg-nowhere. “history” shows the latest. Nothing was changed.",
    );
  });

  it("before its requester confirms it, when they name none", async () => {
    const { changeId } = await disabled();
    const sent = changesSentTo(curfew());
    for (const line of ["undo", "undo last"]) {
      const { text, message } = await ask(curfew(), "bob", line);
      expect(text).toContain("Your latest change that can be undone");
      expect(text).toContain("bob disabled dave");
      expect(buttonsOn(message)).toEqual(["Undo"]);
    }
    expect(sent()).toEqual([]);
    await ask(curfew(), "bob", `undo ${changeId}`);
    expect((await ask(curfew(), "dave", "undo last")).text).toContain("None of your latest changes can be undone.");
  });

  it("when it failed or its outcome is unknown", async () => {
    curfew().service.faults.next({ kind: "status", operation: "ModifyUser", status: 400 });
    const failed = await ask(curfew(), "bob", "user disable dave@example.com");
    expect(buttonsOn(failed.message)).not.toContain("Undo");
    await refused("bob", failed.changeId, "it is failed, so there is nothing to take back");
    curfew().service.faults.next({ kind: "reset-after", operation: "CreateActionExclusion" });
    const unknown = await ask(curfew(), "alice", "exclude staging for 2h --another");
    expect(buttonsOn(unknown.message)).not.toContain("Undo");
    expect(buttonsOn(await cardOf(curfew(), unknown.changeId))).toEqual(["It's there", "It isn't"]);
    await refused("alice", unknown.changeId, "it is unknown, so there is nothing to take back");
  });

  it("when the exclusion's earlier end has passed", async () => {
    const made = await ask(curfew(), "carol", "exclude staging for 2h --another");
    const moved = await ask(curfew(), "carol", `exclusion extend ${made.exclusionId} for 6h`);
    clock.advance(3 * hourMs);
    const sent = changesSentTo(curfew());
    expect((await pressUndo("carol", moved.message)).text).toContain("That moment has already passed.");
    expect(sent()).toEqual([]);
  });

  it("when the service refuses; it can be retried, and no card says otherwise", async () => {
    const { changeId } = await disabled();
    const card = await cardOf(curfew(), changeId);
    curfew().service.faults.next({ kind: "status", operation: "ModifyUser", status: 400 });
    expect((await pressUndo("bob", card)).text).toContain("Curfew could not enable dave: nothing was changed.");
    await curfew().app.idle();
    expect(textOf(nowOf(curfew(), card))).not.toContain("Undone");
    await pressUndo("bob", card);
    expect(statusOfDave()).toBe("enabled");
  });

  it.each([
    ["user remove-mfa alice@example.com google-auth", {}],
    ["user detach-policy u-00000005 mp-00000003", {}],
    ["credential delete cred-00000002", { "Type its name": "cred-00000002" }],
    ['plan create "Weekend" --project p-dev --start 08:00 --stop 9am --days monday', {}],
  ])("when it cannot be reversed: %s", async (line, values) => {
    const { changeId, message } = await doneByLineOrForm(line, values);
    expect(buttonsOn(message)).not.toContain("Undo");
    expect(buttonsOn(await cardOf(curfew(), changeId))).not.toContain("Undo");
    expect(buttonsOn((await ask(curfew(), "carol", `history ${changeId}`)).message)).toEqual([]);
    await refused("carol", changeId, "it has no way back");
  });
});

describe("a created exclusion whose answer was unreadable", () => {
  const lost = { kind: "garbage", operation: "CreateActionExclusion", contentType: "application/json" } as const;

  it("is marked as unreachable, also in the history, and undo explains why", async () => {
    curfew().service.faults.next(lost);
    const { text, changeId, message } = await ask(curfew(), "alice", "exclude staging for 2h --another");
    const said = [
      "The service did this, but its answer could not be read: it was not JSON. Its id is not known",
      "it is not listed, nobody is reminded, and it can be changed only in the service.",
    ];
    for (const part of said) expect(text).toContain(part);
    expect(buttonsOn(message)).toEqual([]);
    const card = await cardOf(curfew(), changeId);
    for (const part of said) expect(textOf(card)).toContain(part);
    expect(buttonsOn(card)).toEqual([]);
    const { text: history } = await ask(curfew(), "alice", `history ${changeId}`);
    for (const part of said) expect(history).toContain(part);
    await refused("alice", changeId, "its id is not known, since the service's answer could not be read");
  });

  it("is not reported as made when the answer was a web page", async () => {
    curfew().service.faults.next({ ...lost, contentType: "text/html" });
    const { text, changeId } = await ask(curfew(), "alice", "exclude staging for 2h --another");
    expect(text).toContain("Curfew does not know whether it managed to keep");
    expect(text).toContain("it was a web page, which the service does not send");
    await refused("alice", changeId, "it is unknown");
  });
});

async function refused(who: string, changeId: string, why: string): Promise<void> {
  const sent = changesSentTo(curfew());
  const { text } = await ask(curfew(), who, `undo ${changeId}`);
  expect(text).toContain(`Change ${changeId} cannot be undone: `);
  expect(text).toContain(why);
  expect(text).toContain("Nothing was changed.");
  expect(sent()).toEqual([]);
}

/** Some changes need confirmation in a form. */
async function doneByLineOrForm(line: string, values: Readonly<Record<string, string>>): Promise<CommandReply> {
  if (line.startsWith("plan create")) return ask(curfew(), "carol", line);
  if (line.startsWith("user detach-policy")) return askWithNewId(curfew(), "carol", line);
  const open = line.startsWith("credential delete") ? openFormWithNewId : openForm;
  await open(curfew(), "carol", line);
  return send(curfew(), "carol", values);
}
