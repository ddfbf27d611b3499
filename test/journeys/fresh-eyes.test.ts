import { describe, expect, it } from "vitest";
import { ask, buttonsOn, cardOf, changesSentTo, messagesAfter, openForm, send, textOf } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { aWeekEach } from "../support/week-each.ts";

const config = unlimitedConfig.replace("zone: Europe/Berlin", "zone: America/New_York");
/** A Wednesday in winter, 13:00 in Berlin, where alice is, and 07:00 in New York, where the channel is. */
const startAt = Date.parse("2026-11-04T12:00:00Z");
const { curfew, clock, person } = oneBot({ config, startAt });
const { day } = aWeekEach(clock, startAt);
const endOf = (id: string) => Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "");
const hourMs = 3_600_000;

describe("to shorten an exclusion", () => {
  it("a length is taken from its end, and a moment becomes its end", async () => {
    const { exclusionId } = await ask(curfew(), "alice", "exclude i-0a7 for 5h");
    const end = endOf(exclusionId);
    const { text } = await ask(curfew(), "alice", "shorten i-0a7 by 1h");
    expect(text).toContain(": now until");
    expect(endOf(exclusionId)).toBe(end - hourMs);
    await ask(curfew(), "alice", "shorten i-0a7 to 14:30");
    expect(new Date(endOf(exclusionId)).toISOString()).toBe(day("13:30"));
  });

  it("never makes it longer, and never ends it: both are offered instead", async () => {
    const { exclusionId } = await ask(curfew(), "alice", "exclude i-0a8 for 2h");
    const sent = changesSentTo(curfew());
    const longer = await ask(curfew(), "alice", "shorten i-0a8 to 23:00");
    expect(longer.text).toMatch(/It ends before that, .* Nothing was changed\./);
    expect(buttonsOn(longer.message)).toEqual(["Extend it"]);
    const gone = await ask(curfew(), "alice", "shorten i-0a8 by 3h");
    expect(gone.text).toContain("so it can't be shortened by 3 h. Nothing was changed.");
    expect(buttonsOn(gone.message)).toEqual(["End now"]);
    expect(sent()).toEqual([]);
    await messagesAfter(curfew(), "alice", () => person("alice").press("Extend it", longer.message));
    expect(new Date(endOf(exclusionId)).toISOString()).toBe(day("22:00"));
  });

  it("its form has no proposal, and its button says so", async () => {
    await ask(curfew(), "alice", "exclude i-0a9 for 2h");
    const form = await openForm(curfew(), "alice", "shorten i-0a9");
    expect(form.submit).toBe("Shorten");
    expect(form.values.Until?.selected_date_time ?? null).toBeNull();
    const { text } = await send(curfew(), "alice", { Until: Date.parse(day("13:00")) / 1000 });
    expect(text).toContain(": now until");
  });

  it("takes its length from the end in many wordings, and never adds it", async () => {
    for (const [line, hours] of [
      ["make staging one hour shorter", -1],
      ["cut staging by an hour", -1],
      ["reduce staging by 1h", -1],
      ["bring staging forward by 30 min", -0.5],
      ["end staging 30 minutes sooner", -0.5],
      ["keep staging up one hour shorter", -1],
      ["make staging an hour longer", 1],
    ] as const) {
      const { exclusionId } = await ask(curfew(), "alice", "keep staging up for 5h --another");
      const before = endOf(exclusionId);
      await ask(curfew(), "alice", line);
      expect((endOf(exclusionId) - before) / hourMs, line).toBe(hours);
      await ask(curfew(), "alice", `exclusion end ${exclusionId}`);
    }
  });

  it("in the thread of its card, “make it an hour shorter” does not extend it", async () => {
    const { changeId, exclusionId } = await ask(curfew(), "alice", "keep staging up for 5h --another");
    const before = endOf(exclusionId);
    const card = await cardOf(curfew(), changeId);
    const typed = () => person("alice").type("@Curfew make it an hour shorter", "ops", card.ts);
    await messagesAfter(curfew(), "alice", typed);
    expect((endOf(exclusionId) - before) / hourMs).toBe(-1);
    await ask(curfew(), "alice", `exclusion end ${exclusionId}`);
  });

  it("its card and its line in a list offer the form beside that for extending it", async () => {
    const { changeId, exclusionId } = await ask(curfew(), "alice", "exclude i-0b7 for 2h");
    const end = endOf(exclusionId);
    const list = await ask(curfew(), "alice", "list mine");
    for (const message of [await cardOf(curfew(), changeId), list.message]) {
      await person("alice").press("Shorten…", message);
      await curfew().workspace.waitFor(
        () => {
          const view = person("alice").openView();
          return view?.title === "Shorten" && view.submit === "Shorten";
        },
        { what: "the form" },
      );
      await send(curfew(), "alice", { Until: endOf(exclusionId) / 1000 - 1800 });
    }
    expect(end - endOf(exclusionId)).toBe(hourMs);
  });
});

describe("words behind a name", () => {
  it.each([
    ["disable dave tomorrow", "disabled", "Disable"],
    ["enable dave for 2h", "enabled", "Enable"],
  ])("that are a time do nothing and are said: %s", async (line, done, button) => {
    const sent = changesSentTo(curfew());
    const { text, message } = await ask(curfew(), "carol", line);
    expect(text).toContain(
      `I can't plan that for later, nor end it by myself. An account is ${done} when you ask. Nothing was changed.`,
    );
    expect(buttonsOn(message)).toContain(button);
    expect(sent()).toEqual([]);
  });

  it.each(["disable dave and whoever", "reset mfa bob quickly", "project rename"])(
    "that are anything else are never taken for a part of it: %s",
    async (line) => {
      const sent = changesSentTo(curfew());
      await person("carol").type(`/curfew ${line}`, "ops");
      await curfew().app.idle();
      expect(sent()).toEqual([]);
    },
  );
});

describe("a day without a time", () => {
  it("is that of the channel's team, and the answer says which moment was understood", async () => {
    const { text } = await ask(curfew(), "carol", "exclude i-0b1 until tomorrow morning --another");
    expect(text).toMatch(/Thu \d+ \w+ \d+, 13:00 \(Europe\/London/);
    expect(text).toContain(
      "Read “tomorrow morning” as tomorrow 13:00 (the start of the day in America/New_York, 08:00 there).",
    );
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ expiryDate: day("13:00", 1) });
  });

  it("after the end of the day names the zone of its midnight", async () => {
    clock.advance(11 * hourMs);
    const { text } = await ask(curfew(), "alice", "exclude i-0b2 until eod --another");
    expect(text).toContain("(midnight in America/New_York, since 18:00 has passed).");
  });
});

describe("what Slack makes of an address, a link or a mention", () => {
  it("is as it was typed in a reason, a name and a refusal", async () => {
    const line =
      'exclude i-0b3 for 1h --another --name "for bob@example.com" --reason ask bob@example.com or @bob in #ops';
    const { changeId } = await ask(curfew(), "alice", line);
    const card = textOf(await cardOf(curfew(), changeId));
    expect(card).toContain("“for bob@example.com”");
    expect(card).toContain("ask bob@example.com or @bob in #ops");
    for (const said of ["exclude bob@example.com thing", "user show x@example.com", "frobnicate bob@example.com"]) {
      const { text } = await ask(curfew(), "carol", said);
      expect(text).not.toMatch(/mailto:|&lt;@|<@U0/);
    }
  });
});

describe("the e-mail address that somebody has already", () => {
  it("is not sent again unasked, and nothing is called a change", async () => {
    const sent = changesSentTo(curfew());
    const { text, message } = await ask(curfew(), "carol", "user email dave dave@example.com");
    expect(text).toContain("This is the e-mail address of dave already, as far as Curfew knows. Nothing was changed.");
    expect(sent()).toEqual([]);
    const again = await messagesAfter(curfew(), "carol", () => person("carol").press("Send it anyway", message));
    expect(again.text).toContain("You sent again the e-mail address of dave, dave@example.com.");
    expect(textOf(await cardOf(curfew(), again.changeId))).not.toContain("→");
    expect(sent()).toEqual(["ModifyUser"]);
  });
});
