import { beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import type { ReferenceKind } from "../../src/commands/field.ts";
import { handleSuggestion } from "../../src/slack/listeners/handlers/handle-redraw.ts";
import { startListening } from "../slack/start-listening.ts";
import { ask, buttonsOn, openForm, send, unfold } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const twins: readonly (readonly [section: string, entries: readonly string[]])[] = [
  ["users", ["{ id: u-00000071, name: Twin }", "{ id: u-00000072, name: twin }"]],
  ["projects", ["{ id: p-71, name: Twin }", "{ id: p-72, name: twin }"]],
  ["credentials", ["{ id: cred-00000071, name: Twin }", "{ id: cred-00000072, name: twin }"]],
  ["policies", ["{ id: mp-00000071, name: Twin }", "{ id: mp-00000072, name: twin }"]],
  ["plans", ["{ id: plan-00000071, name: Twin }", "{ id: plan-00000072, name: twin }"]],
  [
    "selectors",
    [
      "{ id: sel-00000071, name: Twin, plan: plan-00000001 }",
      "{ id: sel-00000072, name: twin, plan: plan-00000001 }",
      "{ id: sel-00000073, name: TWIN, plan: plan-00000002 }",
      "{ id: sel-00000004, name: Production volumes, plan: plan-00000002 }",
      "{ id: sel-00000005, name: Staging machines, plan: plan-00000002 }",
    ],
  ],
];
const config = twins.reduce(
  (text, [section, entries]) =>
    text.replace(`  ${section}:\n`, [`  ${section}:`, ...entries.map((entry) => `    - ${entry}`), ""].join("\n")),
  unlimitedConfig,
);
const { curfew, clock } = oneBot({ config });

let exclusionId = "";
beforeAll(async () => {
  ({ exclusionId } = await ask(curfew(), "carol", "exclude i-0f1 --project p-dev --name “Load test” for 2h"));
  for (const [name, process] of [
    ["Twin", "stop"],
    ["twin", "start"],
  ])
    await ask(curfew(), "carol", `exclude i-0f2 --project p-dev --name ${name} --process ${process} for 2h`);
});

/** The typed text for a known thing of each kind, and the expected suggestions. */
const typed: Readonly<Record<ReferenceKind, readonly [text: string, name: string, id: () => string]>> = {
  action: ["op qa", "Stop QA", () => "a-00000011"],
  credential: ["google", "Google analytics project", () => "cred-00000003"],
  exclusion: ["load", "Load test", () => exclusionId],
  plan: ["office", "Development office hours", () => "plan-00000001"],
  policy: ["operators", "Schedule operators", () => "mp-00000002"],
  project: ["devel", "Development", () => "p-dev"],
  selector: ["databases", "Staging databases", () => "sel-00000002"],
  user: ["bob@", "bob", () => "u-00000001"],
};
const references = catalogue.flatMap(({ words, fields }) =>
  Object.values(fields).flatMap((field) =>
    field.kind === "reference" && field.hidden === undefined ? [{ words, label: field.label, to: field.to }] : [],
  ),
);
/** The second part of a form appears when the edited thing is known. */
const lineFor = (words: string, label: string) =>
  label === "Credentials" ? `${words} plan-00000001 sel-00000001` : words;
const suggest = async (who: string, label: string, query: string) =>
  (await curfew().workspace.as(who).suggest(label, query)).map(({ text }) => text);

describe("typeahead in a form", () => {
  it("covers every kind of entity", () => {
    expect([...new Set(references.map(({ to }) => to))].sort()).toEqual(Object.keys(typed).sort());
  });

  it.each(references)(
    "for $words offers known values for $label, and accepts an unknown id",
    async ({ words, label, to }) => {
      await openForm(curfew(), "carol", lineFor(words, label));
      await unfold(curfew(), "carol");
      const [text, name, id] = typed[to];
      // Exclusions of one name differ in their end and owner.
      const shown = to === "exclusion" ? /^Load test — until .*\d\d:\d\d · you$/ : `${name} (${id()})`;
      for (const query of [text, text.toUpperCase(), ` ${name} `])
        expect((await suggest("carol", label, query))[0]).toMatch(shown);
      const byId = await suggest("carol", label, id());
      expect(byId).toHaveLength(1);
      expect(byId[0]).toMatch(shown);
      expect((await suggest("carol", label, "")).length).toBeGreaterThan(0);
      expect(await suggest("carol", label, "id-of-nothing-known")).toEqual([
        "“id-of-nothing-known” (new to Curfew, used as an id)",
      ]);
      expect(await suggest("carol", label, "no such thing")).toEqual([]);
      expect(await suggest("carol", label, "100%_")).toEqual(["“100%_” (new to Curfew, used as an id)"]);
    },
  );

  it("offers at most 25 options, and cuts long names to Slack's limit", async () => {
    const { actions } = curfew().service.account;
    expect(actions.size).toBeGreaterThan(25);
    const [first] = actions.values();
    if (!first) throw new Error("The account has no action.");
    const named = "Very ".repeat(40).trim();
    actions.set("a-00000099", { ...first, actionId: "a-00000099", name: named });
    clock.advance(11_000);
    await openForm(curfew(), "carol", "action show");
    expect(await suggest("carol", "Action", "")).toHaveLength(25);
    expect((await suggest("carol", "Action", "very very"))[0]).toMatch(/^(Very )+.{0,5}…$/);
    actions.delete("a-00000099");
    clock.advance(11_000);
  });

  it("lets an unknown id go to the service as typed once it is chosen as one", async () => {
    await openForm(curfew(), "carol", "user disable");
    expect((await send(curfew(), "carol", { User: "u-00000099" })).text).toContain("(UserNotFound)");
  });

  it("names no action of a project that its reader may not read, however many match", async () => {
    await openForm(curfew(), "alice", "action show");
    expect(await suggest("alice", "Action", "web for the day")).toEqual([]);
    expect(await suggest("alice", "Action", "stop the demo")).toEqual(["Stop the demo lab (a-00000035)"]);
    const { actions } = curfew().service.account;
    const projects = new Map([...actions.values()].map(({ actionId, projectId }) => [actionId, projectId]));
    const offered = await curfew().workspace.as("alice").suggest("Action", "");
    expect(offered).toHaveLength([...projects.values()].filter((project) => project === "p-dev").length);
    expect(offered.every(({ value }) => projects.get(value) === "p-dev")).toBe(true);
  });

  it("offers nothing to someone who may no longer use the form", async () => {
    await openForm(curfew(), "alice", "exclude");
    await unfold(curfew(), "alice");
    expect(await suggest("alice", "Project", "devel")).toContain("Development (p-dev)");
    await curfew().workspace.changes.setGroup("engineers", []);
    clock.advance(31_000);
    expect(await suggest("alice", "Project", "devel")).toEqual([]);
    await curfew().workspace.changes.setGroup("engineers", ["alice"]);
    clock.advance(31_000);
    expect(await suggest("alice", "Project", "devel")).toContain("Development (p-dev)");
  });

  it("offers the selectors of the chosen plan, or all without a plan", async () => {
    await openForm(curfew(), "carol", "selector show");
    const both = ["Staging machines (sel-00000001)", "Staging machines (sel-00000005)"];
    expect(await suggest("carol", "Selector", "staging m")).toEqual(both);
    await curfew().workspace.as("carol").fill({ Plan: "plan-00000001" });
    expect(await suggest("carol", "Selector", "staging m")).toEqual(both.slice(0, 1));
    expect(await suggest("carol", "Selector", "Production volumes")).toEqual([]);
    await curfew().workspace.as("carol").fill({ Plan: "plan-00000002" });
    expect(await suggest("carol", "Selector", "staging m")).toEqual(both.slice(1));
  });

  it("offers all selectors when Slack omits the form's state, and nothing for a foreign form", async () => {
    const { ports } = await startListening();
    const asked = { userId: "U03CAROL", blockId: "selector show/selector", query: "sel", values: undefined };
    const meta = { words: "selector show", channelId: null };
    expect(await handleSuggestion(ports, { ...asked, privateMetadata: JSON.stringify(meta) })).not.toEqual([]);
    const unknown = [JSON.stringify({ ...meta, words: "selector paint" }), "{}", ""];
    for (const privateMetadata of unknown)
      expect(await handleSuggestion(ports, { ...asked, privateMetadata })).toEqual([]);
    const elsewhere = { ...asked, blockId: "deleted", privateMetadata: JSON.stringify(meta) };
    expect(await handleSuggestion(ports, elsewhere)).toEqual([]);
  });
});

describe("a name on a line", () => {
  const labels = (candidates: string) => candidates.split(", ");

  it.each([
    ["user disable Twin", "user", "Twin (u-00000071), twin (u-00000072)"],
    ["project rename twin Other", "project", "Twin (p-71), twin (p-72)"],
    ["credential edit TWIN --name Other", "credential", "Twin (cred-00000071), twin (cred-00000072)"],
    ["policy show twin", "policy", "Twin (mp-00000071), twin (mp-00000072)"],
    ["selector show twin sel-00000001", "plan", "Twin (plan-00000071), twin (plan-00000072)"],
    ["selector show plan-00000001 twin", "selector", "Twin (sel-00000071), twin (sel-00000072)"],
    ["action show “twin run”", "action", "Twin run (a-00000001), Twin run (a-00000002)"],
  ])("offers the matches and does nothing when ambiguous: %s", async (line, kind, candidates) => {
    const { actions } = curfew().service.account;
    for (const id of ["a-00000001", "a-00000002"]) {
      const action = actions.get(id);
      if (action) actions.set(id, { ...action, name: "Twin run" });
    }
    clock.advance(11_000);
    const asked = curfew().service.requests.length;
    const { text, message } = await ask(curfew(), "carol", line);
    expect(text).toContain(`could be more than one ${kind}: ${candidates}.`);
    expect(buttonsOn(message)).toEqual(labels(candidates));
    expect(text).toContain("Choose one, or give the id.");
    const operations = curfew()
      .service.requests.slice(asked)
      .map(({ operation }) => operation);
    expect(operations.filter((operation) => operation !== "ListActions")).toEqual([]);
  });

  it("of exclusions shows who made each and until when", async () => {
    const { text, message } = await ask(curfew(), "carol", "exclusion extend twin for 1h");
    expect(text).toMatch(
      /“twin” could be more than one kept machine: Twin \(aex-\d+\), made by you, until .*; twin \(aex-/,
    );
    expect(buttonsOn(message)).toHaveLength(2);
  });

  it("is clear for the only such selector of its plan, even when other plans use it too", async () => {
    const { text } = await ask(curfew(), "carol", "selector show plan-00000001 “staging machines”");
    expect(text).toContain("*Staging machines*");
    expect(text).toContain("sel-00000001");
    const unknown = await ask(curfew(), "carol", "selector show plan-00000001 “production volumes”");
    expect(unknown.text).toContain("Curfew knows no selector called “production volumes”");
  });
});
