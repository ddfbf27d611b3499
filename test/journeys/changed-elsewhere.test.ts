import { describe, expect, it } from "vitest";
import { ask, cardOf, changesSentTo, messagesAfter, openForm } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew, clock, person } = oneBot({ config: unlimitedConfig });

async function excluded(line = "exclude staging for 2h") {
  const { changeId, exclusionId } = await ask(curfew(), "alice", line);
  return { id: exclusionId, card: await cardOf(curfew(), changeId) };
}

describe("an outdated form or button", () => {
  it("does not undo a change made after the form was filled", async () => {
    const { id } = await excluded("exclude i-0b1 --project p-dev for 2h --name Meanwhile");
    await openForm(curfew(), "alice", `exclusion edit ${id}`);
    await ask(curfew(), "carol", `exclusion extend ${id} for 3h`);
    const sent = changesSentTo(curfew());
    await person("alice").fill({ Name: "Mended" });
    const outcome = await person("alice").submit();
    expect(JSON.stringify(outcome)).toContain("It has been changed since you opened this form.");
    expect(sent()).toEqual([]);
  });

  it("shows the earlier outcome to the next person who presses", async () => {
    const { card } = await excluded("exclude i-0b2 --project p-dev for 2h");
    // The card cannot be updated yet, so it still has its button.
    curfew().workspace.faults.failNext("chat.update", { error: "internal_error" });
    await messagesAfter(curfew(), "alice", () => person("alice").press("End now", card));
    const { text } = await messagesAfter(curfew(), "carol", () => person("carol").press("End now", card));
    expect(text).toMatch(/alice already stopped keeping i-0b2 running \(change chg-/);
    expect(text).not.toContain("You ended");
  });

  it("can retry a change whose outcome is unknown", async () => {
    const { card } = await excluded("exclude i-0b3 --project p-dev for 2h");
    const press = () => messagesAfter(curfew(), "alice", () => person("alice").press("End now", card));
    curfew().service.faults.next({ kind: "status", operation: "DeleteActionExclusion", status: 500 });
    expect((await press()).text).toContain("Curfew does not know whether");
    expect((await press()).text).toContain("You stopped keeping");
  });

  it("does not pass a time on to the form that replaces it", async () => {
    await excluded("exclude i-0b4 --project p-dev for 20h --name Long");
    await openForm(curfew(), "alice", "exclude i-0b4 --project p-dev --type amazon-ec2-instance for 0m");
    // The form that follows proposes the present end and four hours, which is another time.
    const chosen = Math.floor(clock.now() / 60_000) * 60 + 10 * 3600;
    await person("alice").fill({ Until: chosen });
    await curfew().workspace.waitFor(() => person("alice").openView()?.text.includes("running until"));
    await person("alice").press("Extend that one", "view");
    const form = await curfew().workspace.waitFor(() => {
      const view = person("alice").openView();
      return view?.title === "Keep longer" ? view : undefined;
    });
    expect(form.values.Until).not.toMatchObject({ selected_date_time: chosen });
    await person("alice").cancel();
  });
});
