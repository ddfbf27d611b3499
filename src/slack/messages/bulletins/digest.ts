import type { KnownBlock } from "@slack/types";
import type { DigestContent, ExcludedNow, HoursOf } from "../../../changes/digest/digest.ts";
import type { CommandButton, Line } from "../../../commands/answer.ts";
import { inHours } from "../../../permissions/budgets/weekly-hours.ts";
import { formatDay } from "../../../time/format-moment.ts";
import { addDays, wallClockAt } from "../../../time/wall-clock.ts";
import { buttonRow, commandButton } from "../button.ts";
import { lineBlock } from "../list-line.ts";
import {
  clip,
  clipMrkdwn,
  contextBlock,
  escapeMrkdwn,
  escapeWithin,
  limits,
  type Message,
  mrkdwn,
} from "../message.ts";
import type { BulletinSources, DrawnBulletin } from "./bulletin-sources.ts";
import { chartColours, hoursChart } from "./hours-chart.ts";

const shownExcluded = 8;
const shownRepeated = 3;

/** What was kept running in a week, and what is excluded now. An empty week is one line. */
export async function digestMessage(
  id: string,
  digest: DigestContent,
  { uploadImage }: Pick<BulletinSources, "uploadImage">,
): Promise<DrawnBulletin> {
  const { projects, people, excluded, ms, beforeMs } = digest;
  if (ms === 0 && beforeMs === 0 && excluded.length === 0) return emptyWeek(digest);
  const without = whole(digest, [barsBlock(digest)]);
  if (ms === 0 && beforeMs === 0) return whole(digest, []);
  const alt = figures(digest);
  const content = () => hoursChart([projects, people]);
  const file = await uploadImage(id, { name: "kept-running.png", content, alt: clip(alt, 1000) });
  if (file === undefined) return without;
  const image = { type: "image", slack_file: { id: file }, alt_text: clip(alt, 2000) } as const;
  return { ...whole(digest, [image, legend(digest)]), withoutImage: without };
}

function emptyWeek(digest: DigestContent): Message {
  const text = `Nothing was kept running ${weekOf(digest)}, and nothing is excluded now.`;
  return { text, blocks: [{ type: "section", text: mrkdwn(`:bar_chart: ${text}`) }] };
}

function whole(digest: DigestContent, chart: readonly KnownBlock[]): Message {
  const sentence = headline(digest);
  return {
    text: sentence,
    blocks: [
      { type: "section", text: mrkdwn(`:bar_chart: ${sentence.replace(/[\d.]+ h/, "*$&*")}`) },
      ...chart,
      ...findings(digest),
      ...excludedBlocks(digest),
    ],
  };
}

/** "Resources were kept running for 43 h from Mon 16 Nov to Sun 22 Nov, 12 h more than the week before." */
function headline(digest: DigestContent): string {
  const { ms, beforeMs } = digest;
  const more = Math.round((inHours(ms) - inHours(beforeMs)) * 10) / 10;
  const compared = more === 0 ? "as in" : `${Math.abs(more)} h ${more > 0 ? "more" : "less"} than`;
  return `Resources were kept running for ${inHours(ms)} h ${weekOf(digest)}, ${compared} the week before.`;
}

function weekOf({ from, to, zone }: DigestContent): string {
  const [first, last] = [wallClockAt(from, zone), addDays(wallClockAt(to, zone), -1)];
  return `from ${formatDay(first)} to ${formatDay(last)}`;
}

const hoursWords = ({ ms, beforeMs }: HoursOf): string => `${inHours(ms)} h (${inHours(beforeMs)} h)`;

/** Everything that the chart shows, in words. */
function figures({ projects, people }: DigestContent): string {
  const each = (all: readonly HoursOf[]) => all.map((one) => `${one.name} ${hoursWords(one)}`).join(", ");
  return `Hours kept running, in brackets the week before. Projects: ${each(projects)}. People: ${each(people)}.`;
}

/** Beside the image: the colours of the bars. */
function legend({ projects, people }: DigestContent): KnownBlock {
  const lines = (all: readonly HoursOf[], shape: "square" | "circle") =>
    all.map((one, index) => `${chartColours[index]?.[shape] ?? "▫️"} ${nameOf(one)} ${hoursWords(one)}`);
  const column = (title: string, text: readonly string[]) =>
    mrkdwn(clipMrkdwn([`*${title}* (the week before)`, ...atMost(text, shownRows)].join("\n"), limits.fieldText));
  return {
    type: "section",
    fields: [column("Projects", lines(projects, "square")), column("People", lines(people, "circle"))],
  };
}

const shownRows = 10;

function atMost(lines: readonly string[], shown: number): readonly string[] {
  const more = lines.length - shown;
  return more > 0 ? [...lines.slice(0, shown), `and ${more} more`] : lines;
}

/** A mention in a channel notifies: only people are named, and by their names. */
const nameOf = ({ name }: HoursOf): string => escapeWithin(name, 60);

const barLength = 20;

/** Instead of the image: bars of text. */
function barsBlock({ projects, people }: DigestContent): KnownBlock {
  const rows = (all: readonly HoursOf[]) => {
    const longest = Math.max(1, ...all.map(({ ms }) => ms));
    const wide = Math.max(...all.slice(0, shownRows).map(({ name }) => Math.min(name.length, shownName)));
    const bar = (ms: number) => "█".repeat(Math.ceil((ms / longest) * barLength)).padEnd(barLength, "░");
    return atMost(
      all.map((one) => `${clip(one.name, shownName).padEnd(wide)} ${bar(one.ms)} ${hoursWords(one)}`),
      shownRows,
    );
  };
  const text = [...rows(projects), "", ...rows(people)].join("\n").replaceAll("`", "'");
  return {
    type: "section",
    text: mrkdwn(clipMrkdwn(`\`\`\`${escapeMrkdwn(text)}`, limits.sectionText - 3).concat("```")),
  };
}

const shownName = 20;

function findings({ longest, repeated }: DigestContent): readonly KnownBlock[] {
  const often = repeated.slice(0, shownRepeated).map(({ what, evenings, of, actionId }, index): KnownBlock => {
    const show: CommandButton = {
      label: "Show the action",
      words: "action show",
      opens: "result",
      input: { action: actionId ?? "" },
      version: String(index),
    };
    const button = actionId === null ? undefined : commandButton(show);
    const name = escapeWithin(what, 100);
    const text = `:repeat: *${name}* was kept up on ${evenings} of ${of} evenings: change its schedule?`;
    return { type: "section", text: mrkdwn(text), ...(button ? { accessory: button } : {}) };
  });
  const most = longest.map(({ what, ms }) => `${escapeWithin(what, 100)} ${inHours(ms)} h`).join(" · ");
  return [...often, ...(most ? [contextBlock(`Longest: ${most}. Hours of several resources add up.`)] : [])];
}

function excludedBlocks({ excluded, zone }: DigestContent): readonly KnownBlock[] {
  if (excluded.length === 0) return [contextBlock("Nothing is excluded now.")];
  const more = excluded.length - shownExcluded;
  const all: CommandButton = { label: "Show all", words: "exclusion list", opens: "result", input: {} };
  return [
    { type: "section", text: mrkdwn("*Excluded now*") },
    ...excluded.slice(0, shownExcluded).map((each) => lineBlock(lineOf(each), zone)),
    ...(more > 0 ? [contextBlock(`and ${more} more`), ...buttonRow([all])] : []),
  ];
}

function lineOf({ id, what, project, since, until, by }: ExcludedNow): Line {
  const input = { exclusion: id };
  return {
    ...{ id, sign: "on", name: what },
    parts: [
      ...(until === null ? ["without an end"] : [{ before: "until ", at: until }]),
      ...(since === null ? [] : [{ before: "since ", at: since }]),
      ...(by === null ? ["nobody owns it"] : [{ person: by }]),
      ...(project === null ? [] : [project]),
    ],
    menu: [
      { label: "Extend…", words: "exclusion extend", opens: "form", input },
      { label: "End", words: "exclusion end", opens: "result", input },
    ],
  };
}
