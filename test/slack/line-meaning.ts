import { z } from "zod";
import { catalogue } from "../../src/commands/catalogue.ts";
import { readRecurrenceValue, recurrenceText } from "../../src/commands/exclusion/planned/recurrence-words.ts";
import type { Input } from "../../src/commands/field.ts";
import { namesFrom } from "../../src/language/sense/names.ts";
import { readParts } from "../../src/slack/fields/read-fields.ts";
import { understandLine } from "../../src/slack/listeners/line/understand-line.ts";
import { formatDuration } from "../../src/time/duration.ts";
import { wallClockAt } from "../../src/time/wall-clock.ts";
import { anExclusion, someSettings } from "../changes/build.ts";
import { createMemoryDirectory } from "../commands/memory-directory.ts";
import { config } from "../language/lines-world.ts";
import { wednesday } from "../language/time-readings.ts";
import { anActor } from "../permissions/build.ts";
import { aReadingContext } from "./build.ts";

const zone = "Europe/Berlin";
const settings = someSettings(config);
const excluded = (name: string, ids: readonly string[]) => ({
  ...({ kind: "exclusion", id: `ae-${name}`, ownerId: "U01ALICE" } as const),
  body: anExclusion({
    actionExclusionId: `ae-${name}`,
    name,
    resourceIds: [...ids],
    expiryDate: "2026-11-29T16:00:00Z",
  }),
});
const context = aReadingContext({
  settings,
  now: wednesday,
  actor: anActor({ timeZone: zone }),
  directory: createMemoryDirectory([excluded("staging", ["i-0a1", "i-0a2"]), excluded("web", ["i-0b1", "i-0b2"])]),
});

const names = namesFrom(Object.keys(settings.resourceGroups).map((name) => ({ kind: "thing", name })));

/** What is done for a line, in the words of the table; `ask` when nothing is. */
export async function meaningOf(text: string): Promise<string> {
  const split = understandLine(text, catalogue, context, names);
  if (split.kind === "unclear" || split.unexplained.length > 0 || split.problems.length > 0) return "ask";
  const { command, parts, sets } = split;
  const { input, problems, choices, derived } = await readParts(command, parts, context, sets);
  const endless = /^Until when\?/.test(choices.every?.text ?? "") ? "until 2026-12-30" : undefined;
  if (endless) return (await meaningOf(`${text} ${endless}`)).replace(` ${endless}`, "");
  if (Object.keys({ ...problems, ...choices }).length > 0) return "ask";
  return said(command.words, { ...input, ...(derived.includes("until") ? { until: undefined } : {}) });
}

function said(words: string, input: Input): string {
  const { until, from, resourceIds, every, exclusion, group, before } = input;
  const thing = thingOf(resourceIds ?? exclusion ?? group);
  const rule = readRecurrenceValue(every);
  if (rule) return `every ${recurrenceText(rule, zone)} ${thing}`;
  if (words === "warn me")
    return [`warn ${thing}`, ...(before === undefined ? [] : [formatDuration(Number(before))])].join(" ");
  if (words === "stop warning me") return `stop warning ${thing}`;
  if (words === "exclusion create") return [`keep ${thing}`, ...at("from", from), ...at("until", until)].join(" ");
  if (words === "exclusion extend") {
    const end = z.object({ forMs: z.number().optional(), until: z.number().optional() }).parse(until ?? {});
    const verb = input.shorter ? "shorten" : "extend";
    return [`${verb} ${thing}`, ...(end.forMs ? [`by ${formatDuration(end.forMs)}`] : at("to", end.until))].join(" ");
  }
  return [words.replace("exclusion end", "end"), ...(thing ? [thing] : [])].join(" ");
}

const at = (name: string, moment: unknown): readonly string[] =>
  typeof moment === "number" ? [`${name} ${wall(moment)}`] : [];

function wall(moment: number): string {
  const { month, day, hour, minute } = wallClockAt(moment, zone);
  const [shownMonth, shownDay, shownHour, shownMinute] = [month, day, hour, minute].map((each) =>
    String(each).padStart(2, "0"),
  );
  return `${shownMonth}-${shownDay} ${shownHour}:${shownMinute}`;
}

function thingOf(named: unknown): string {
  if (typeof named === "string") return named.replace(/^ae-/, "");
  if (!Array.isArray(named)) return "";
  const group = Object.entries(settings.resourceGroups).find(([, { ids }]) => ids.join() === named.join());
  return group?.[0] ?? named.join(" ");
}
