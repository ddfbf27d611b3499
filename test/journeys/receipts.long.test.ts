import { setTimeout as pass } from "node:timers/promises";
import type { KnownBlock } from "@slack/types";
import type { Insertable } from "kysely";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../src/changes/receipts.ts";
import { commandButton } from "../../src/slack/messages/button.ts";
import { fitsSlack } from "../../src/slack/messages/message.ts";
import { noticeMessage } from "../../src/slack/messages/notices.ts";
import { literal } from "../../src/slack/messages/text.ts";
import type { ReceiptTable } from "../../src/store/db/database.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { openRaw } from "../store/history-file.ts";
import { ask, changesSentTo, fillIn, messagesAfter, openForm, textOf } from "../support/journey.ts";
import { inBothModes } from "../support/one-bot.ts";
import { lastDelivery } from "../support/wire.ts";

inBothModes((curfew, clock) => {
  const receipts = () => openRaw(curfew().database).selectFrom("receipt").selectAll().execute();
  const calls = (method: string) => curfew().workspace.calls.filter((call) => call.method === method).length;
  /** Starts Curfew with a store that shows what it records of requests. */
  const withShownReceipts = async (): Promise<readonly Receipt[]> => {
    const received: Receipt[] = [];
    await curfew().app.stop();
    await curfew().restart({
      openStore: async (...given) => {
        const store = await openStore(...given);
        const receive: Store["receive"] = async (receipt) => {
          await store.receive(receipt);
          received.push(receipt);
        };
        return { ...store, receive };
      },
    });
    return received;
  };

  it("the answer to a line is its acknowledgement, and needs no call of Slack's", async () => {
    await ask(curfew(), "carol", "whoami");
    const before = calls("response_url");
    const { text, message } = await ask(curfew(), "carol", "exclude staging for 1h --another");
    expect(text).toContain("Keeping staging");
    expect(message.ephemeralTo).toBe(curfew().workspace.as("carol").id);
    expect(calls("response_url")).toBe(before);
    expect(JSON.stringify(lastDelivery(curfew(), "command").answer)).toContain("Keeping ");
  });

  it("a change is recorded without the text as it was typed, until it is answered", async () => {
    const received = await withShownReceipts();
    const line = "please exclude staging for 1h --another because of the demo";
    expect((await ask(curfew(), "carol", line)).text).toContain("Keeping ");
    expect(received).toMatchObject([{ kind: "line", words: "exclusion create", channelId: "C0OPS" }]);
    expect(JSON.stringify(received)).toContain("staging");
    expect(JSON.stringify(received)).not.toContain("please");
    await curfew().app.idle();
    expect(await receipts()).toEqual([]);
  });

  it("a press that asks others is recorded until it is answered", async () => {
    const { message } = await ask(curfew(), "alice", "exclude staging for 30h --another");
    const received = await withShownReceipts();
    const press = () => curfew().workspace.as("alice").press("Ask carol to allow 1 d 6 h", message);
    const { changeId, text } = await messagesAfter(curfew(), "alice", press);
    expect(text).toContain("This waits for approval.");
    expect(received).toMatchObject([{ kind: "button", words: "exclusion create", channelId: "C0OPS" }]);
    await curfew().app.idle();
    expect(await receipts()).toEqual([]);
    await ask(curfew(), "alice", `withdraw ${changeId}`);
  });

  it("is not handled after a crash any more once its requester reads that nothing was done", async () => {
    const steps: string[] = [];
    await curfew().app.stop();
    await curfew().restart({
      openStore: async (...given) => {
        const store = await openStore(...given);
        const noting = (what: "endReceipt" | "closeReceipt") => async (id: string) => {
          steps.push(what);
          await store[what](id);
        };
        return { ...store, endReceipt: noting("endReceipt"), closeReceipt: noting("closeReceipt") };
      },
    });
    expect((await ask(curfew(), "carol", "exclude staging for 1h --another")).text).toContain("Keeping ");
    await curfew().app.idle();
    // The change took its place.
    expect(steps).toEqual([]);
    expect((await ask(curfew(), "bob", "exclude staging for 1h")).text).toContain("Nothing was changed");
    await curfew().app.idle();
    expect(steps).toEqual(["endReceipt", "closeReceipt"]);
  });

  it("an acknowledgement waits for the record", async () => {
    let isRecorded = false;
    await curfew().app.stop();
    await curfew().restart({
      openStore: async (...given) => {
        const store = await openStore(...given);
        const receive: Store["receive"] = async (receipt) => {
          await pass(1500);
          await store.receive(receipt);
          isRecorded = true;
        };
        return { ...store, receive };
      },
    });
    expect(await curfew().workspace.as("carol").type("/curfew exclude staging for 1h --another", "ops")).toEqual({
      ok: true,
    });
    expect(isRecorded).toBe(true);
    await curfew().app.idle();
  });

  it.each(["status staging", "exclude staging --colour red", "user remove-mfa dave@example.com"])(
    "nothing is recorded of a line that changes nothing by itself: %s",
    async (line) => {
      const received = await withShownReceipts();
      expect(await curfew().workspace.as("carol").type(`/curfew ${line}`, "ops")).toEqual({ ok: true });
      await curfew().app.idle();
      expect(received).toEqual([]);
      if (curfew().workspace.as("carol").openView()) await curfew().workspace.as("carol").cancel();
    },
  );

  it("a form with errors leaves no receipt, and can be sent again", async () => {
    await openForm(curfew(), "carol", "exclude");
    const carol = curfew().workspace.as("carol");
    const place = { What: "i-0f7", "Resource type": "amazon-ec2-instance", Project: "p-dev" };
    await fillIn(curfew(), "carol", { ...place, Until: Math.floor(clock.now() / 60_000) * 60 - 3600 });
    expect(await carol.submit()).toMatchObject({ kind: "errors" });
    await expect.poll(receipts, { timeout: 10_000 }).toEqual([]);
    await carol.fill({ Until: Math.floor(clock.now() / 60_000) * 60 + 3600 });
    const { text } = await messagesAfter(curfew(), "carol", () => carol.submit());
    expect(text).toContain("Keeping i-0f7");
  });

  describe("what an instance that is gone had received", () => {
    const line = { parts: { resourceIds: [{ value: "staging", isQuoted: false }] }, sets: { another: true } };
    const leave = async (
      kind: string,
      words: string,
      receivedAt: number,
      more: Partial<Insertable<ReceiptTable>> = {},
    ) => {
      const row = { id: `command:${kind}:${receivedAt}`, instance: "gone", kind, words, channel_id: "C0OPS" };
      await openRaw(curfew().database)
        .insertInto("receipt")
        .values({
          ...{ ...row, received_at: receivedAt, actor_id: curfew().workspace.as("carol").id },
          said_json: kind === "line" ? JSON.stringify(line) : null,
          ...more,
        })
        .execute();
      await curfew().app.stop();
      await curfew().restart();
    };
    const direct = () => curfew().workspace.as("carol").messages("dm").map(textOf);

    it("is handled when it is a line younger than a minute, and answered once", async () => {
      // Not asked again since.
      clock.advance(120_000);
      const sent = changesSentTo(curfew());
      await leave("line", "exclusion create", clock.now() - 50_000);
      await curfew().workspace.waitFor(() => direct().at(-1)?.includes("Keeping staging"));
      await curfew().app.idle();
      expect(sent()).toEqual(["CreateActionExclusion"]);
      expect(await receipts()).toEqual([]);
    });

    it("is handled when it is a press younger than a minute, and answered once", async () => {
      const { message, changeId: change } = await ask(curfew(), "carol", "exclude staging for 1h --another");
      await curfew().app.idle();
      clock.advance(120_000);
      const undo = commandButton({ label: "Undo", words: "undo", opens: "result", input: { change } });
      const sent = changesSentTo(curfew());
      const pressed = { actionId: undo?.action_id, value: undo?.value, surface: message.ts, fromHome: false };
      await leave("button", "undo", clock.now() - 50_000, { said_json: JSON.stringify(pressed) });
      await curfew().workspace.waitFor(() => direct().at(-1)?.includes("Undone. You stopped keeping"));
      await curfew().app.idle();
      expect(sent()).toEqual(["DeleteActionExclusion"]);
      expect(await receipts()).toEqual([]);
    });

    it("is answered in its thread when it is a mention there, and followed in that thread", async () => {
      clock.advance(120_000);
      const carol = curfew().workspace.as("carol");
      await carol.type("the demo is at eight", "ops");
      const ts = carol.messages("ops").at(-1)?.ts ?? "";
      await carol.type("@Curfew", "ops", ts);
      await curfew().app.idle();
      const answers = () => carol.messages("ops").filter(({ threadTs, ephemeralTo }) => threadTs === ts && ephemeralTo);
      const before = answers().length;
      const thread = { id: `mention:C0OPS:${ts}`, asked_in_json: JSON.stringify({ channelId: "C0OPS", ts }) };
      await leave("line", "exclusion create", clock.now() - 10_000, thread);
      await curfew().workspace.waitFor(() => answers().length > before);
      const [answer] = answers().slice(before);
      expect(answer && textOf(answer)).toContain("Done.");
      await curfew().app.idle();
      const changes = await openRaw(curfew().database).selectFrom("change").selectAll().execute();
      expect(changes.at(-1)?.asked_in_json).toBe(thread.asked_in_json);
      expect(await receipts()).toEqual([]);
    });

    it("is not handled when its requester has asked again since", async () => {
      const receivedAt = clock.now() - 10_000;
      await ask(curfew(), "carol", "exclude staging for 1h --another");
      await curfew().app.idle();
      const sent = changesSentTo(curfew());
      await leave("line", "exclusion create", receivedAt);
      await curfew().workspace.waitFor(() => direct().at(-1)?.includes("ask again, unless you have already"));
      expect(sent()).toEqual([]);
    });

    it.each([
      ["line", "exclusion create", 61_000],
      ["form", "user disable", 1000],
      ["button", "undo", 1000],
    ])("is answered that nothing was done: a %s of %s", async (kind, words, ageMs) => {
      const sent = changesSentTo(curfew());
      await leave(kind, words, clock.now() - ageMs);
      await curfew().workspace.waitFor(() => direct().at(-1)?.includes(`your ${kind} for “${words}”`));
      expect(direct().at(-1)).toContain("Nothing was done for it: ask again, unless you have already.");
      await expect.poll(receipts, { timeout: 10_000 }).toEqual([]);
      expect(sent()).toEqual([]);
    });

    it("is not handled when it ended two instances: its requester reads that nothing was done", async () => {
      clock.advance(120_000);
      const sent = changesSentTo(curfew());
      await leave("line", "exclusion create", clock.now() - 1000, { tries: 2 });
      await curfew().workspace.waitFor(() => direct().at(-1)?.includes("Curfew was interrupted twice"));
      expect(direct().at(-1)).toContain("Nothing was done for it. Tell the people who run Curfew");
      await expect.poll(receipts, { timeout: 10_000 }).toEqual([]);
      expect(sent()).toEqual([]);
      expect(curfew().logged.join()).toContain("a request was given up");
    });
  });
});

describe("a message that Slack would refuse in an acknowledgement", () => {
  const section = (text: string): KnownBlock => ({ type: "section", text: { type: "mrkdwn", text } });
  const actions = (...labels: readonly string[]): KnownBlock => ({
    type: "actions",
    elements: labels.map((text) => ({ type: "button", action_id: "a", text: { type: "plain_text", text } })),
  });

  it.each<readonly [string, readonly KnownBlock[]]>([
    ["a text that is too long", [section("x".repeat(3001))]],
    ["an empty text", [section("")]],
    ["too many blocks", Array.from({ length: 51 }, () => section("x"))],
    ["the same action twice", [actions("Undo", "Undo")]],
    ["a label that is too long", [actions("x".repeat(76))]],
    ["more than Slack takes in all", Array.from({ length: 10 }, () => section("x".repeat(1500)))],
  ])("is recognized: %s", (_what, blocks) => {
    expect(fitsSlack({ text: literal("x"), blocks: [...blocks] })).toBe(false);
    expect(fitsSlack(noticeMessage(":warning:", "Nothing was changed."))).toBe(true);
  });
});
