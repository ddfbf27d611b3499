import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Typed } from "../../src/sandbox/workspace/form-fields.ts";
import type { OperationName } from "../../src/service/operations.ts";
import { ask, changesSentTo, messagesAfter, openForm, send } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";

/** One command that shows something. `refused`: someone who may not use it, and the reply. */
interface QueryJourney {
  readonly line: string;
  /** The operation that it reads from the service; null when Curfew itself has the data. */
  readonly reads: OperationName | null;
  readonly shows: string;
  readonly refused: { readonly who: string; readonly reply: RegExp };
  readonly incomplete?: {
    readonly line: string;
    readonly form: string;
    readonly values: Readonly<Record<string, Typed>>;
  };
}

const needsRole = { who: "dave", reply: /You can't .*\. Ask .*S0ENGINEERS/ };
const membersOnly = {
  who: "gina",
  reply: /Only full members of this workspace can use Curfew: ask one\./,
};

const journeys: readonly QueryJourney[] = [
  {
    line: "exclusion list mine",
    reads: null,
    shows: "Kept for the queries",
    refused: needsRole,
    incomplete: { line: "exclusion list --page first", form: "What is kept", values: { Filter: "mine" } },
  },
  {
    line: "action list staging",
    reads: "ListActions",
    shows: "matching “staging”",
    refused: needsRole,
    incomplete: { line: "action list staging --page first", form: "Actions", values: { Page: 1 } },
  },
  {
    line: "action show a-00000001",
    reads: "GetAction",
    shows: "Next run",
    refused: needsRole,
    incomplete: { line: "action show", form: "Show action", values: { Action: "a-00000001" } },
  },
  { line: "whoami", reads: null, shows: "engineer", refused: membersOnly },
  { line: "history", reads: null, shows: "alice kept i-0a1, i-0a2 running", refused: membersOnly },
  { line: "help exclusion", reads: null, shows: "/curfew keep i-0a1 i-0a2 up for 2h", refused: membersOnly },
];

withOneBot((curfew, clock) => {
  beforeAll(async () => {
    await ask(curfew(), "alice", 'exclude staging for 8h --name "Kept for the queries"');
  });
  beforeEach(() => {
    // The list of actions is cached briefly, so a second read would not reach the service.
    clock.advance(11_000);
  });

  describe.each(journeys)("$line", ({ line, reads, shows, refused }) => {
    it("is answered to its requester only, and changes nothing", async () => {
      const [sent, before] = [changesSentTo(curfew()), curfew().service.requests.length];
      const { text, message } = await ask(curfew(), "alice", line);
      expect(text).toContain(shows);
      expect(message.ephemeralTo).toBe("U01ALICE");
      expect(sent()).toEqual([]);
      const read = curfew().service.requests.slice(before);
      expect(reads === null || read.some(({ operation }) => operation === reads)).toBe(true);
    });

    it("is refused without permission, and the service is not called", async () => {
      const before = curfew().service.requests.length;
      expect((await ask(curfew(), refused.who, line)).text).toMatch(refused.reply);
      expect(curfew().service.requests).toHaveLength(before);
    });

    it("shows the service's error, or its reply when Curfew has the data", async () => {
      if (reads) curfew().service.faults.next({ kind: "status", operation: reads, status: 400 });
      const { text } = await ask(curfew(), "alice", line);
      expect(text).toContain(reads ? "Try again later. (ServiceUnavailable)." : shows);
    });

    it("says so when the service is unreachable, or replies when Curfew has the data", async () => {
      await curfew().service.faults.down();
      const { text } = await ask(curfew(), "alice", line).finally(() => curfew().service.faults.up());
      if (reads) expect(text).toMatch(/Could not connect to the service.*\(Unreachable\)\. Try again in a moment\.$/);
      else expect(text).toContain(shows);
    });

    it("is answered although the service's first answer is lost", async () => {
      if (reads) curfew().service.faults.next({ kind: "reset-after", operation: reads });
      expect((await ask(curfew(), "alice", line)).text).toContain(shows);
    });

    it("does no harm when Slack delivers it twice", async () => {
      const sent = changesSentTo(curfew());
      await ask(curfew(), "alice", line);
      const outboxMessage = curfew().workspace.appRequests.at(-1);
      const again = await messagesAfter(curfew(), "alice", async () => {
        expect(outboxMessage && (await curfew().workspace.redeliver(outboxMessage))).toEqual({ ok: true });
      });
      expect(again.text).toContain(shows);
      expect(sent()).toEqual([]);
    });
  });

  const withForm = journeys.flatMap(({ shows, incomplete }) => (incomplete ? [{ shows, ...incomplete }] : []));
  it.each(withForm)(
    "$line opens its form, and is answered when the form is sent",
    async ({ shows, line, form, values }) => {
      expect((await openForm(curfew(), "alice", line)).title).toBe(form);
      expect((await send(curfew(), "alice", values)).text).toContain(shows);
    },
  );
});
