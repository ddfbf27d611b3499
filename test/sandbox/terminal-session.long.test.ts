import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TerminalSession } from "../../src/sandbox/terminal.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { sandboxOf } from "./sandbox-of.ts";

let curfew: Curfew;
let session: TerminalSession;
let written: string[] = [];
beforeEach(async () => {
  curfew = await startCurfew();
  session = new TerminalSession(sandboxOf(curfew), (text) => void written.push(text));
});
afterEach(() => curfew.stop());

/** The output of one line. */
const enter = async (line: string): Promise<string> => {
  written = [];
  await session.handle(line);
  return written.join("\n");
};
const enterAll = async (...lines: readonly string[]): Promise<string> => {
  let last = "";
  for (const line of lines) last = await enter(line);
  return last;
};

/** The machines that the service's new exclusions hold back now. */
const excluded = (): readonly string[] => {
  const { account } = curfew.service;
  const inForce = [...account.exclusions.values()].filter(({ expiryDate }) => Date.parse(expiryDate) > Date.now());
  return inForce.flatMap(({ resourceIds }) => resourceIds).filter((id) => /^i-0a\d$/.test(id));
};

describe("a slash command", () => {
  test("shows the private answer and the public card, each with its place", async () => {
    const shown = await enter("/curfew exclude i-0a1 for 2h");
    expect(shown).toMatch(/── #ops · Curfew · only you see this\n.*Done\./);
    expect(shown).toMatch(
      /── #ops · Curfew\n.*🟢 @alice is keeping \*i-0a1\* running[\s\S]*\[ Extend… \] \[ End now \] \[ ⋯ Details \/ Shorten… \/ Edit… \/ History \]/,
    );
  });

  test("waits for a slow service", async () => {
    curfew.service.faults.next({ kind: "latency", ms: 400 });
    expect(await enter("/curfew exclude i-0a1 for 2h")).toContain("@alice is keeping *i-0a1* running");
  });

  test("shows each message once, and again when it changes", async () => {
    await enter("/curfew exclude i-0a1 for 2h");
    expect(await enter("/curfew whoami")).not.toContain("i-0a1");
    expect(await enterAll("press End now", "yes")).toMatch(
      /── #ops · Curfew · edited\n.*⚪ \*i-0a1\* follows its schedule again: @alice ended it/,
    );
  });

  test("is sent as the chosen person in the chosen channel", async () => {
    expect(await enter("as dave")).toBe("You are dave, in #ops.");
    expect(session.prompt).toBe("dave> ");
    expect(await enter("/curfew user disable bob")).toMatch(/only you see this\n.*Nothing was changed/);
    expect(await enterAll("as bob", "in security", "/curfew user disable bob")).toMatch(
      /#security · Curfew · only you/,
    );
  });

  test("shows the next person only messages that are new at the prompt", async () => {
    await enter("/curfew exclude i-0a1 for 2h");
    expect(await enter("as bob")).toBe("You are bob, in #ops.");
    await curfew.workspace.as("alice").type("/curfew exclude i-0a2 for 2h", "ops");
    await curfew.app.idle();
    expect(await enter("")).toMatch(/^── #ops · Curfew\n.*@alice is keeping \*i-0a2\* running/);
  });
});

test("moves the clock forward and shows the new time", async () => {
  expect(await enter("wait 3h")).toMatch(/^It is 20\d\d-.*Z\./);
  expect(await enter("wait a bit")).toContain("such as 45m");
  expect(await enter("wait")).toContain("such as: wait 2h");
});

describe("a form", () => {
  test("is shown, filled in, validated and submitted", async () => {
    expect(await enter("/curfew exclude i-0a1")).not.toContain("┌─");
    expect(await enter("/curfew exclude")).toMatch(/┌─ Keep running ─+\n│ What/);
    expect(await enter("submit")).toMatch(/^! What: Please complete this required field\./);
    expect(await enter("fill what = i-0a2")).toContain("[ i-0a2 ]");
    await enterAll("press More…", "fill Resource type = amazon-ec2-instance", "fill Project = Development (p-dev)");
    expect(await enter("fill Until = 2020-01-01 10:00")).toMatch(/already|past/i);
    await enter("fill Until = for 3h");
    const sent = await enter("submit");
    expect(sent).toContain("@alice is keeping *i-0a2* running");
    expect(sent).toContain("(The form is closed.)");
  });

  test("lists the fields when a label is wrong", async () => {
    expect(await enterAll("/curfew exclude", "fill Colour = red")).toMatch(/no field "Colour".*"What"/);
  });

  test("disappears when it is canceled", async () => {
    expect(await enterAll("/curfew exclude", "cancel")).toBe("(The form is closed.)");
    expect(await enter("cancel")).toBe("! alice has no form open.");
  });
});

describe("a button", () => {
  test("with a confirmation is pressed only after yes", async () => {
    expect(await enterAll("/curfew exclude i-0a1 for 2h", "press End now")).toMatch(/Slack asks: End now\?/);
    expect(await enter("no")).toBe("Nothing was sent.");
    expect(excluded()).toEqual(["i-0a1"]);
    expect(await enterAll("press end now", "yes")).toContain("@alice ended it");
    expect(excluded()).toEqual([]);
  });

  test("is not pressed when another line comes instead of yes", async () => {
    expect(await enterAll("/curfew exclude i-0a1 for 2h", "press End now", "messages", "yes")).toBe(
      "There is no question to answer.",
    );
    expect(excluded()).toEqual(["i-0a1"]);
  });

  test("of an earlier message is found by its number", async () => {
    await enterAll("/curfew exclude i-0a1 for 2h", "/curfew exclude i-0a2 for 2h", "press End now 2", "yes");
    expect(excluded()).toEqual(["i-0a2"]);
    expect(await enter("press End now 9")).toBe('There are only 1 buttons "End now"; use a smaller number.');
  });

  test("in a card's menu is pressed like any other, and its dots may be left out", async () => {
    expect(await enterAll("/curfew exclude i-0a1 for 2h", "press History")).toMatch(/only you see this\n[\s\S]*i-0a1/);
    expect(await enter("press edit")).toMatch(/┌─ Edit what is kept ─/);
    expect(await enterAll("cancel", "press Extend...")).toMatch(/┌─ Keep longer ─/);
  });

  test("that does not exist gets an error with the existing ones", async () => {
    expect(await enterAll("/curfew exclude i-0a1 for 2h", "press Explode")).toMatch(
      /no button "Explode".*"Extend…", "End now"/,
    );
  });
});

describe("the prompt", () => {
  test("shows help for ?", async () => {
    const help = await enter("?");
    for (const word of ["fill", "submit", "cancel", "press", "messages", "wait", "quit"]) expect(help).toContain(word);
  });

  test("goes only to the current person's channels", async () => {
    expect(await enter("in security")).toBe("alice can only go to ops, random, dm.");
  });

  test("suggests help for an unknown command", async () => {
    expect(await enter("exclude i-0a1")).toMatch(/Unknown command "exclude".*starts with \//);
    expect(await enter("as zed")).toMatch(/There is no person "zed".*alice/);
    expect(await enter("fill Reason")).toMatch(/fill <label> = <value>/);
  });

  test("continues until quit", async () => {
    expect(await session.handle("?")).toBe(true);
    expect(await session.handle("quit")).toBe(false);
  });

  test("shows Slack's error when the bot does not answer", async () => {
    await curfew.app.stop();
    expect(await enter("/curfew help")).toMatch(/! Slack shows the error/);
  });
});
