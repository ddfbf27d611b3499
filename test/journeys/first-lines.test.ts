import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { shownText } from "../../src/sandbox/workspace/form-fields.ts";
import { type Curfew, startCurfew, wholeExample } from "../support/start-curfew.ts";

/** What the README's first lines say, each with the person before it. */
const ofReadme = [...readFileSync("README.md", "utf8").matchAll(/^(\w+)> +\/curfew (.+)$/gm)].map(
  ([, who = "", line = ""]) => [who, line] as const,
);
/** What the page offers to each person. */
const ofPage = defaultSeed.people.flatMap(({ handle, tries = [] }) => tries.map((line) => [handle, line] as const));

/** The answer, or the title of the form that opened. */
async function answerTo({ workspace }: Curfew, who: string, line: string): Promise<string> {
  const person = workspace.as(who);
  const before = person.messages("ops").length;
  await person.type(`/curfew ${line}`, "ops");
  const own = () =>
    person
      .messages("ops")
      .slice(before)
      .find(({ ephemeralTo }) => ephemeralTo === person.id);
  const shown = await workspace.waitFor(() => person.openView() ?? own(), { what: `an answer to ${who}: ${line}` });
  if (!("title" in shown)) return shownText(shown.blocks) || shown.text;
  await person.cancel();
  return `form ${shown.title}`;
}

/** Eight hours of a Thursday, in UTC. */
test.each([0, 3, 6, 9, 12, 15, 18, 21])(
  "the README's first lines and the page's lines to try do what they say at %i o'clock",
  async (hour) => {
    const [begun, at] = [Date.now(), Date.parse("2026-11-26T00:10:00Z") + hour * 3_600_000];
    for (const lines of [ofReadme, ofPage]) {
      const curfew = await startCurfew({ config: wholeExample, now: () => at + Date.now() - begun });
      try {
        const said = new Map<string, string>();
        for (const [who, line] of lines) said.set(line, await answerTo(curfew, who, line));
        expect([...said].filter(([, text]) => /:(?:no_entry|x|warning|question):/.test(text))).toEqual([]);
        expect(said.get("offboard @dave")).toMatch(/^form Offboard/);
        expect(said.get("unlock @alice because lost phone")).toMatch(/^form Unlock/);
        const kept = [...curfew.service.account.exclusions.values()].find(({ name }) => name === "alice: staging");
        const hours = (Date.parse(kept?.expiryDate ?? "") - at) / 3_600_000;
        expect([kept?.resourceIds, Math.round(hours)]).toEqual([["i-0a1", "i-0a2"], lines === ofReadme ? 3 : 2]);
      } finally {
        await curfew.stop();
      }
    }
  },
);
