import { describe, expect, it } from "vitest";
import { withOneBot } from "../support/one-bot.ts";

describe("in the steady state", () => {
  withOneBot((curfew) => {
    const callsFor = async (who: string, line: string) => {
      await curfew().app.idle();
      const before = curfew().workspace.calls.length;
      expect(await curfew().workspace.as(who).type(line, "ops")).toEqual({ ok: true });
      await curfew().app.idle();
      return curfew()
        .workspace.calls.slice(before)
        .map(({ method }) => method);
    };

    it("a creation by line takes one call of Slack, since its acknowledgement is its answer", async () => {
      await callsFor("alice", "/curfew exclude i-0a1 for 2h");
      expect(await callsFor("alice", "/curfew exclude i-0a2 for 2h")).toEqual(["chat.postMessage"]);
    });

    it("a later change takes two: it updates the card and adds a line to its thread", async () => {
      await callsFor("alice", "/curfew exclude i-0a3 for 2h");
      expect((await callsFor("alice", "/curfew extend i-0a3 1h")).sort()).toEqual(["chat.postMessage", "chat.update"]);
    });
  });
});
