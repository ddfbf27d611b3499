import { describe, expect, it } from "vitest";
import { shownText } from "../../src/sandbox/workspace/driver/shown-text.ts";
import { ask, buttonsOn, messagesAfter, openForm, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const { curfew } = oneBot({ config: unlimitedConfig });

describe("a form that a line opens", () => {
  it("says at its top what the line lacks, and marks as needed what nothing else tells", async () => {
    const view = await openForm(curfew(), "alice", "exclude i-0abc for 2h");
    expect(shownText(view.blocks)).toMatch(/^:pencil2: The line lacks \*Project\*\. Nothing was changed yet/);
    expect(view.blocks.find(({ label }) => JSON.stringify(label ?? "").includes("Project"))).toMatchObject({
      optional: false,
    });
    await curfew().workspace.as("alice").cancel();
  });

  it("without a word beside the command says nothing of the kind, and leaves open what may follow from the rest", async () => {
    const view = await openForm(curfew(), "alice", "exclude");
    expect(view.text).not.toContain("lacks");
    expect(view.blocks.find(({ label }) => JSON.stringify(label ?? "").includes("Project"))).toMatchObject({
      optional: true,
    });
    await curfew().workspace.as("alice").cancel();
  });
});

describe("an exclusion that there is none of", () => {
  it("is told once when it is to be ended, with the command that shows those there are", async () => {
    await openForm(curfew(), "carol", "exclusion end aex-404");
    const { text } = await send(curfew(), "carol");
    expect(text).toMatch(/Curfew could not end exclusion aex-404: nothing was changed\. .*not found.*NotFound\)/);
    expect(text.match(/not found/g)).toHaveLength(1);
    expect(text).toContain("`exclusion list` shows those that Curfew knows.");
  });

  it("is told when it is to be extended, and when its name is none", async () => {
    const { text } = await ask(curfew(), "carol", "exclusion extend aex-404 for 2h");
    expect(text).toContain("`exclusion list` shows those that can be extended");
    const named = await openForm(curfew(), "carol", 'exclusion end "no such"');
    expect(named.text).toContain("`exclusion list` shows those that Curfew knows.");
    await curfew().workspace.as("carol").cancel();
  });
});

describe("what the service advises", () => {
  it("is quoted as its own where nobody knows what happened, and a refusal is told as it stands", async () => {
    curfew().service.faults.next({ kind: "status", operation: "ModifyUser", status: 503, times: 9 });
    const { text } = await ask(curfew(), "bob", "user disable dave@example.com");
    expect(text).toContain(
      "it may have happened. The service said: “Try again later.” (ServiceUnavailable) Look in the service before asking again.",
    );
    curfew().service.faults.clear();
    curfew().service.faults.next({ kind: "status", operation: "ModifyUser", status: 400 });
    const refused = await ask(curfew(), "bob", "user disable dave@example.com");
    expect(refused.text).toContain("nothing was changed. Try again later. (ServiceUnavailable)");
  });
});

describe("history", () => {
  it("says that there is nothing yet, and nothing so far back", async () => {
    expect((await ask(curfew(), "dave", "history mine")).text).toContain("There is nothing yet.");
    expect((await ask(curfew(), "dave", "history --page 9")).text).toContain("There is nothing so far back.");
  });

  it("leads on to older changes by its button and by --page", async () => {
    for (let n = 1; n <= 17; n++) await ask(curfew(), "carol", `project rename p-dev "Name ${n}"`);
    const first = await ask(curfew(), "carol", "history");
    expect(first.text).toContain("renamed project Name 16*");
    expect(first.text).not.toContain("renamed project Name 1*");
    expect(buttonsOn(first.message)).toContain("More");
    const more = await messagesAfter(curfew(), "carol", () =>
      curfew().workspace.as("carol").press("More", first.message),
    );
    expect(more.text).toContain("Page 2");
    expect(more.text).toContain("renamed project Name 1*");
    expect(buttonsOn(more.message)).not.toContain("More");
    expect((await ask(curfew(), "carol", "history mine --page 2")).text).toContain("renamed project Name 1*");
  });

  it("has a last page, and says so to whoever asks for a later one", async () => {
    const form = await openForm(curfew(), "carol", "history --page 999999999");
    expect(form.text).toContain("“999999999” is not a whole number from 1 to 100.");
    expect((await send(curfew(), "carol", { Page: 100 })).text).toContain("There is nothing so far back.");
  });
});

describe("help", () => {
  it("has an example for every command that the requester may use, and room for them all", async () => {
    const { text } = await ask(curfew(), "carol", "help");
    expect(text).not.toMatch(/and \d+ more/);
    expect(text).toContain("Example: /curfew exclude i-0a1 i-0a2 for 2h");
    const { text: forBob } = await ask(curfew(), "bob", "help");
    expect(forBob).toContain("Example: /curfew user disable bob");
    expect(forBob).not.toContain("Example: /curfew exclude");
  });
});
