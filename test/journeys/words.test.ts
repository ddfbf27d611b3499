import { describe, expect, it } from "vitest";
import { shownText } from "../../src/sandbox/workspace/form-fields.ts";
import {
  ask,
  askWithNewId,
  buttonsOn,
  messagesAfter,
  openForm,
  openFormWithNewId,
  send,
  unfold,
} from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew, clock } = oneBot({ config: unlimitedConfig });

/** The answer to a line; empty if it opened a form. */
async function answerTo(who: string, line: string): Promise<string> {
  const person = curfew().workspace.as(who);
  const count = () => [...person.messages("ops"), ...person.messages("dm")].length;
  const before = count();
  await person.type(`/curfew ${line}`, "ops");
  await curfew().app.idle();
  await curfew().workspace.waitFor(() => person.openView() !== undefined || count() > before, { what: line });
  return person.openView() ? "" : JSON.stringify(person.messages("ops").at(-1)?.blocks ?? "");
}

describe("a form that a line opens", () => {
  it("says at its top what the line lacks, and marks the required fields", async () => {
    // Her last project counts for a day; the hour stays as it is.
    clock.advance(24 * 3_600_000 + 60_000);
    const view = await openForm(curfew(), "carol", "exclude i-0abc --process sideways for 2h", "random");
    expect(shownText(view.blocks)).toMatch(/^:pencil2: \*Project\* is missing\. Nothing was changed yet/);
    expect(view.blocks.find(({ label }) => JSON.stringify(label ?? "").includes("Project"))).toMatchObject({
      optional: false,
    });
    await curfew().workspace.as("carol").cancel();
  });

  it("without arguments marks nothing as missing, and keeps fields optional that others imply", async () => {
    const view = await openForm(curfew(), "alice", "exclude");
    expect(view.text).not.toContain("missing");
    await unfold(curfew(), "alice");
    const { blocks = [] } = curfew().workspace.as("alice").openView() ?? {};
    expect(blocks.find(({ label }) => JSON.stringify(label ?? "").includes("Project"))).toMatchObject({
      optional: true,
    });
    await curfew().workspace.as("alice").cancel();
  });
});

describe("a line with an unknown flag", () => {
  it("also says what its time could mean", async () => {
    // At ten in the morning, nine has passed and may be this evening's.
    const dayMs = 86_400_000;
    clock.advance(dayMs + 9 * 3_600_000 - (clock.now() % dayMs));
    const { text } = await ask(curfew(), "alice", "exclude staging --colour red until 9:00");
    expect(text).toMatch(
      /“until 9:00” can mean more than one time\. Nothing was changed\. It could be \w+ .*21:00 or \w+ .*09:00\./,
    );
  });
});

describe("an hour without am or pm", () => {
  it("is taken for the next one, and a button moves the end to the other", async () => {
    const dayMs = 86_400_000;
    clock.advance(dayMs + 13 * 3_600_000 - (clock.now() % dayMs));
    const { text, message } = await ask(curfew(), "alice", "exclude staging till 8");
    expect(text).toContain("Read “8” as today 20:00 (20:00 rather than 08:00).");
    const label = "Until tomorrow 08:00 instead";
    expect(buttonsOn(message)).toContain(label);
    const pressed = () => curfew().workspace.as("alice").press(label, message);
    expect((await messagesAfter(curfew(), "alice", pressed)).text).toMatch(/tomorrow 08:00|08:00/);
    const [exclusion] = [...curfew().service.account.exclusions.values()].slice(-1);
    expect(Date.parse(exclusion?.expiryDate ?? "")).toBe(clock.now() - (clock.now() % dayMs) + dayMs + 7 * 3_600_000);
  });
});

describe("an unknown exclusion", () => {
  it("is reported once on an end, with the command that lists exclusions", async () => {
    await openFormWithNewId(curfew(), "carol", "exclusion end aex-404");
    const { text } = await send(curfew(), "carol");
    expect(text).toMatch(/Curfew could not end aex-404: nothing was changed\. .*not found.*NotFound\)/);
    expect(text.match(/not found/g)).toHaveLength(1);
    expect(text).toContain("“list” shows those that Curfew knows.");
  });

  it("is reported on an extend, also when its name is unknown", async () => {
    const { text } = await askWithNewId(curfew(), "carol", "exclusion extend aex-404 for 2h");
    expect(text).toContain("“list” shows those you can extend");
    const named = await ask(curfew(), "carol", 'exclusion end "no such"');
    expect(named.text).toContain("“list” shows those that Curfew knows.");
  });
});

describe("the service's message", () => {
  it("is quoted when the outcome is unknown, and shown unchanged when it refuses", async () => {
    curfew().service.faults.next({ kind: "status", operation: "ModifyUser", status: 503, times: 9 });
    const { text } = await ask(curfew(), "bob", "user disable dave@example.com");
    expect(text).toContain(
      "it may have happened. The service said: “Try again later.” (ServiceUnavailable) “Check now” sends",
    );
    curfew().service.faults.clear();
    curfew().service.faults.next({ kind: "status", operation: "ModifyUser", status: 400 });
    const refused = await ask(curfew(), "bob", "user disable dave@example.com");
    expect(refused.text).toContain("nothing was changed. Try again later. (ServiceUnavailable)");
  });
});

describe("history", () => {
  it("says when there is nothing yet, and nothing that old", async () => {
    expect((await ask(curfew(), "dave", "history mine")).text).toContain("There are no changes that you may see.");
    expect((await ask(curfew(), "dave", "history --page 9")).text).toContain("There are no changes this far back.");
  });

  it("leads to older changes by its button and by --page", async () => {
    for (let n = 1; n <= 17; n++) await ask(curfew(), "carol", `project rename p-dev "Name ${n}"`);
    const first = await ask(curfew(), "carol", "history");
    expect(first.text).toContain("renamed project Name 16 to");
    expect(first.text).not.toContain("renamed project Name 1 to");
    expect(buttonsOn(first.message)).toContain("Next");
    expect(buttonsOn(first.message)).not.toContain("Previous");
    const more = await messagesAfter(curfew(), "carol", () =>
      curfew().workspace.as("carol").press("Next", first.message),
    );
    expect(more.text).toContain("Page 2");
    expect(more.text).toContain("renamed project Name 1 to");
    const back = await messagesAfter(curfew(), "carol", () =>
      curfew().workspace.as("carol").press("Previous", more.message),
    );
    expect(back.text).toContain("renamed project Name 16 to");
    expect((await ask(curfew(), "carol", "history mine --page 2")).text).toContain("renamed project Name 1 to");
  });

  it("has a last page, and says so when a later one is requested", async () => {
    const form = await openForm(curfew(), "carol", "history --page 999999999");
    expect(form.text).toContain("“999999999” is not a whole number from 1 to 100.");
    expect((await send(curfew(), "carol", { Page: 100 })).text).toContain("There are no changes this far back.");
  });
});

describe("help", () => {
  it("shows in a few lines what its reader may say, with their own groups, and the rest behind a select", async () => {
    const { text, message } = await ask(curfew(), "carol", "help");
    expect(text).toContain("keep staging up until 8, the demo runs late");
    expect(text).toContain("staging 2 more hours · end staging");
    expect(message.blocks.length).toBeLessThanOrEqual(9);
    const carol = curfew().workspace.as("carol");
    const more = await messagesAfter(curfew(), "carol", () => carol.fill({ "More…": "Credentials" }, message));
    expect(more.text).toContain("/curfew credential edit");
    expect(more.text).not.toContain("/curfew exclude");
    const { text: forDave } = await ask(curfew(), "dave", "help");
    expect(forDave).toContain("what may I do?");
    expect(forDave).not.toContain("keep staging up until");
  });

  it("shows lines that Curfew understands", async () => {
    const { text } = await ask(curfew(), "carol", "help");
    const [, ...titles] = [...text.matchAll(/^\*(.+)\*$/gm)].map(([, title = ""]) => title);
    const lines = titles.flatMap((title) => title.split(" · "));
    expect(lines.length).toBeGreaterThan(6);
    const carol = curfew().workspace.as("carol");
    for (const line of lines) {
      const message = await answerTo("carol", line);
      expect(message, line).not.toMatch(/I didn't understand|There is no command/);
      if (carol.openView()) await carol.cancel();
    }
  });

  it("has an example for every command that the requester may use, and fits them all", async () => {
    const { text } = await ask(curfew(), "carol", "help all");
    expect(text).not.toMatch(/and \d+ more/);
    expect(text).toContain("/curfew keep i-0a1 i-0a2 up for 2h");
    const { text: forBob } = await ask(curfew(), "bob", "help all");
    expect(forBob).toContain("/curfew disable bob");
    expect(forBob).not.toContain("/curfew keep");
  });
});
