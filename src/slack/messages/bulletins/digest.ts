import type { KnownBlock } from "@slack/types";
import type { DigestContent, ExcludedNow, HoursOf } from "../../../changes/bulletin.ts";
import type { CommandButton, Line } from "../../../commands/answer.ts";
import { inHours } from "../../../permissions/held-time.ts";
import { formatDay } from "../../../time/format-moment.ts";
import { addDays, wallClockAt } from "../../../time/wall-clock.ts";
import { buttonRow, commandButton } from "../button.ts";
import { lineBlock } from "../list-line.ts";
import {
  bold,
  clip,
  codeBlock,
  contextBlock,
  join,
  limits,
  literal,
  type Message,
  type Mrkdwn,
  md,
  mrkdwn,
  notLikeOurs,
} from "../message.ts";

const shownExcluded = 8;
const shownRepeated = 3;

/** What was kept running in a week, and what is excluded now. An empty week is one line. */
export function digestMessage(digest: DigestContent): Message {
  const { excluded, ms, beforeMs } = digest;
  if (ms === 0 && beforeMs === 0 && excluded.length === 0) return emptyWeek(digest);
  return {
    text: headline(digest, (hours) => md`${hours} h`),
    blocks: [
      { type: "section", text: mrkdwn(md`:bar_chart: ${headline(digest, (hours) => md`*${hours} h*`)}`) },
      ...(ms === 0 && beforeMs === 0 ? [] : [barsBlock(digest)]),
      ...findings(digest),
      ...excludedBlocks(digest),
    ],
  };
}

function emptyWeek(digest: DigestContent): Message {
  const text = literal(`Nothing was kept running ${weekOf(digest)}, and nothing is excluded now.`);
  return { text, blocks: [{ type: "section", text: mrkdwn(md`:bar_chart: ${text}`) }] };
}

/** "Resources were kept running for 43 h from Mon 16 Nov to Sun 22 Nov, 12 h more than the week before." */
function headline(digest: DigestContent, shown: (hours: number) => Mrkdwn): Mrkdwn {
  const { ms, beforeMs } = digest;
  const more = Math.round((inHours(ms) - inHours(beforeMs)) * 10) / 10;
  const compared = more === 0 ? "as in" : `${Math.abs(more)} h ${more > 0 ? "more" : "less"} than`;
  const rest = [`${weekOf(digest)}, ${compared} the week before.`, ...knownWords(digest)].join(" ");
  return md`Resources were kept running for ${shown(inHours(ms))} ${literal(rest)}`;
}

/** Not every hour under an exclusion is one that it added. */
function knownWords({ ms, known }: DigestContent): readonly string[] {
  if (ms === 0 || known === undefined) return [];
  const { preventedMs, unknownMs } = known;
  return [
    `For ${inHours(preventedMs)} h of them a known stop was prevented.`,
    ...(unknownMs > 0 ? [`For ${inHours(unknownMs)} h Curfew doesn't know what would have stopped them.`] : []),
  ];
}

function weekOf({ from, to, zone }: DigestContent): string {
  const [first, last] = [wallClockAt(from, zone), addDays(wallClockAt(to, zone), -1)];
  return `from ${formatDay(first)} to ${formatDay(last)}`;
}

const hoursWords = ({ ms, beforeMs }: HoursOf): string => `${inHours(ms)} h (${inHours(beforeMs)} h)`;

const shownRows = 10;

function atMost(lines: readonly string[]): readonly string[] {
  const more = lines.length - shownRows;
  return more > 0 ? [...lines.slice(0, shownRows), `and ${more} more`] : lines;
}

const barLength = 20;

function barsBlock({ projects, people }: DigestContent): KnownBlock {
  const rows = (title: string, all: readonly HoursOf[]) => {
    const longest = Math.max(1, ...all.map(({ ms }) => ms));
    const names = all.map(({ name }) => clip(notLikeOurs(name), shownName));
    const wide = Math.max(...names.slice(0, shownRows).map(({ length }) => length));
    const bar = (ms: number) => "█".repeat(Math.ceil((ms / longest) * barLength)).padEnd(barLength, "░");
    const lines = all.map((one, index) => `${names[index]?.padEnd(wide)} ${bar(one.ms)} ${hoursWords(one)}`);
    return [`${title} (the week before)`, ...atMost(lines)];
  };
  const text = codeBlock([...rows("Projects", projects), "", ...rows("People", people)], limits.sectionText);
  return { type: "section", text: mrkdwn(text) };
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
    const name = bold(what, 100);
    const text = md`:repeat: ${name} was kept up on ${evenings} of ${of} evenings: change its schedule?`;
    return { type: "section", text: mrkdwn(text), ...(button ? { accessory: button } : {}) };
  });
  const most = join(
    longest.map(({ what, ms }) => md`${literal(what, 100)} ${inHours(ms)} h`),
    " · ",
  );
  return [...often, ...(most ? [contextBlock(md`Longest: ${most}. Hours of several resources add up.`)] : [])];
}

function excludedBlocks({ excluded, zone }: DigestContent): readonly KnownBlock[] {
  if (excluded.length === 0) return [contextBlock(md`Nothing is excluded now.`)];
  const more = excluded.length - shownExcluded;
  const all: CommandButton = { label: "Show all", words: "exclusion list", opens: "result", input: {} };
  return [
    { type: "section", text: mrkdwn(md`*Excluded now*`) },
    ...excluded.slice(0, shownExcluded).map((each) => lineBlock(lineOf(each), zone)),
    ...(more > 0 ? [contextBlock(md`and ${more} more`), ...buttonRow([all])] : []),
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
