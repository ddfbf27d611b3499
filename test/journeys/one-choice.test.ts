import { beforeEach, describe, expect, it } from "vitest";
import { ask, buttonsOn, changesSentTo, messagesAfter } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** Nothing says which project a line is about. */
const openProject = unlimitedConfig.replace("C0OPS: { project: p-dev, zone", "C0OPS: { zone");
const withProjects = (count: number) => {
  const more = Array.from({ length: count }, (_, index) => `    - { id: p-${index}, name: Team ${index} }\n`).join("");
  return openProject.replace("  projects:\n", (projects) => `${projects}${more}`);
};

describe("with two projects", () => {
  const { curfew } = oneBot({ config: openProject });

  it("a line that lacks only the project asks for it with buttons, and is done by one press", async () => {
    const { text, message } = await ask(curfew(), "carol", "exclude i-0c71 for 2h");
    expect(text).toContain("Which project is i-0c71 in? Nothing was changed yet.");
    const [first = "", ...others] = buttonsOn(message);
    expect(others.at(-1)).toBe("Other…");
    const done = await messagesAfter(curfew(), "carol", () => curfew().workspace.as("carol").press(first, message));
    expect(done.text).toContain("Keeping i-0c71");
  });
});

describe("with more projects than buttons", () => {
  const { curfew, clock } = oneBot({ config: withProjects(12) });
  // Her last project counts for a day.
  beforeEach(() => clock.advance(25 * 3_600_000));

  it("the question has a select, and choosing does it", async () => {
    const { text, message } = await ask(curfew(), "carol", "exclude i-0c72 for 2h");
    expect(text).toContain("Which project is i-0c72 in? Nothing was changed yet.");
    expect(buttonsOn(message)).toEqual(["Other…"]);
    const carol = curfew().workspace.as("carol");
    const done = await messagesAfter(curfew(), "carol", () => carol.fill({ "Choose…": "Production" }, message));
    expect(done.text).toContain("Keeping i-0c72");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ projectId: "p-prod" });
  });

  it("choosing the same twice makes one exclusion", async () => {
    const sent = changesSentTo(curfew());
    const { message } = await ask(curfew(), "carol", "exclude i-0c73 for 2h");
    const carol = curfew().workspace.as("carol");
    await Promise.all([1, 2].map(() => carol.fill({ "Choose…": "Development" }, message)));
    await curfew().app.idle();
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("the question offers only the projects that its reader may use", async () => {
    const { text } = await ask(curfew(), "alice", "exclude i-0c74 for 2h");
    expect(text).toContain("Keeping i-0c74");
    expect(lastBody(curfew(), "CreateActionExclusion")).toMatchObject({ projectId: "p-dev" });
  });
});

describe("with more projects than a select takes", () => {
  const { curfew } = oneBot({ config: withProjects(120) });

  it("the form opens instead", async () => {
    const carol = curfew().workspace.as("carol");
    await carol.type("/curfew exclude i-0c75 for 2h", "ops");
    await curfew().workspace.waitFor(() => carol.openView(), { what: "the form" });
    await carol.cancel();
  });
});
