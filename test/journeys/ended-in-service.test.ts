import { describe, expect, it } from "vitest";
import { ask, buttonsOn, cardOf, cardsIn, messagesAfter, nowOf, openForm, send, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const config = unlimitedConfig.replace(/^announce:\n/m, "announce:\n  - { operations: [elsewhere], channel: C0SEC }\n");

withOneBot(
  (curfew, clock) => {
    const messages = () => cardsIn(curfew().workspace, "security").map(textOf);
    const exclusions = () => curfew().service.account.exclusions;
    async function excluded(line: string) {
      const { changeId, exclusionId } = await ask(curfew(), "alice", line);
      return { id: exclusionId, card: await cardOf(curfew(), changeId) };
    }
    /** What is said in #security because of an act. */
    async function saidAfter(act: () => Promise<unknown>): Promise<readonly string[]> {
      const before = messages().length;
      await act();
      await curfew().app.idle();
      return messages().slice(before);
    }

    describe("an exclusion that Curfew made", () => {
      it("and that the service no longer knows is said to be ended there, and its card says so", async () => {
        const { id, card } = await excluded("exclude staging for 2h");
        exclusions().delete(id);
        const said = await saidAfter(() => ask(curfew(), "carol", `exclusion extend ${id} for 1h`));
        expect(said).toEqual([
          expect.stringMatching(
            /^:pencil2: In the service, not by Curfew, somebody ended keeping \*staging\* running\nNoticed <!date.*, when carol wanted to change it\nHistory$/,
          ),
        ]);
        const { blocks, text } = nowOf(curfew(), card);
        expect(textOf({ blocks, text })).toMatch(
          /^:white_circle: \*staging\* follows its schedule again: it was ended in the service, not by Curfew \(noticed/,
        );
        expect(buttonsOn({ blocks })).toEqual([]);
        const again = await saidAfter(() => ask(curfew(), "carol", `exclusion extend ${id} for 1h`));
        expect(again, "once").toEqual([]);
      });

      it("is told so when somebody presses End now", async () => {
        const { id, card } = await excluded("exclude i-0b1 --project p-dev for 2h");
        exclusions().delete(id);
        const press = () => curfew().workspace.as("alice").press("End now", card);
        const said = await saidAfter(() => messagesAfter(curfew(), "alice", press));
        expect(said).toEqual([
          expect.stringContaining("In the service, not by Curfew, somebody ended keeping *i-0b1* running"),
        ]);
      });

      it("is not said to be ended when its time was over", async () => {
        const { id } = await excluded("exclude i-0b2 --project p-dev for 1h");
        await openForm(curfew(), "alice", `exclusion edit ${id}`);
        clock.advance(2 * 3_600_000);
        exclusions().delete(id);
        const said = await saidAfter(() =>
          send(curfew(), "alice", { Until: Math.floor(clock.now() / 60_000) * 60 + 3600 }),
        );
        expect(said).toEqual([]);
      });

      it("is said to be changed where an answer shows what Curfew does not set", async () => {
        const { id } = await excluded("exclude i-0b3 --project p-dev for 2h");
        const exclusion = exclusions().get(id);
        if (exclusion) exclusions().set(id, { ...exclusion, timeZoneId: "Tokyo Standard Time" });
        const said = await saidAfter(() => ask(curfew(), "alice", `exclusion extend ${id} for 1h`));
        expect(said).toEqual([
          expect.stringMatching(
            /^:pencil2: In the service, not by Curfew, somebody changed keeping \*i-0b3\* running: timeZoneId: UTC → Tokyo Standard Time/,
          ),
        ]);
        expect(await saidAfter(() => ask(curfew(), "alice", `exclusion extend ${id} for 1h`)), "once").toEqual([]);
      });

      it("is not said to be changed by what Curfew changes", async () => {
        const { id } = await excluded("exclude i-0b4 --project p-dev for 2h");
        expect(await saidAfter(() => ask(curfew(), "alice", `exclusion extend ${id} for 1h`))).toEqual([]);
        expect(await saidAfter(() => ask(curfew(), "alice", `exclusion end ${id} because done`))).toEqual([]);
      });
    });
  },
  { config },
);
