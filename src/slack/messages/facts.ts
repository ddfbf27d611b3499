import type { ContextBlock, MrkdwnElement, SectionBlock } from "@slack/types";
import type { Fact, FactValue, Line, Sentence, Sign } from "../../commands/answer.ts";
import { isGroupId } from "../../permissions/actor.ts";
import type { Holder } from "../../permissions/policy.ts";
import { commandButton, commandMenu } from "./button.ts";
import { contextBlock, mrkdwn, section } from "./message.ts";
import {
  bold,
  boldLink,
  clipMrkdwn,
  cut,
  date,
  type Icon,
  join,
  limits,
  literal,
  type Mrkdwn,
  md,
  mention,
  partText,
  sentence,
} from "./text.ts";

const shownValue = 300;
const shownLabel = 100;
/** Of what two texts have in common, before where they differ. */
const shownAlike = 100;

/** A fact's value in mrkdwn, escaped and clipped. A time is shown in the reader's zone and in `zone`. */
function factText(value: FactValue, zone: string): Mrkdwn {
  if (typeof value === "string") return literal(value, shownValue);
  if ("at" in value) return date(value.at, zone);
  return literal(value.list.join(", "), shownValue);
}

function changeText({ value, before }: Fact, zone: string): Mrkdwn {
  const now = factText(value, zone);
  if (before === undefined) return now;
  const was = factText(before, zone);
  const [one, other] = [before, value].map(wholeText);
  // Both are cut before they differ.
  const differ = was === now && one !== undefined && other !== undefined && one !== other;
  return differ ? join(fromDifference(one, other), " → ") : md`${was} → ${now}`;
}

function wholeText(value: FactValue): string | undefined {
  if (typeof value === "string") return value;
  return "list" in value ? value.list.join(", ") : undefined;
}

/** The ends of two texts that begin alike, each from the last word that both begin with. */
function fromDifference(one: string, other: string): readonly Mrkdwn[] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const start = one.lastIndexOf(" ", at - 1) + 1;
  return [one, other].map((text) => literal(`… ${text.slice(Math.max(start, at - shownAlike))}`, shownValue));
}

/** Facts in two columns, for a card. */
export function factFields(facts: readonly Fact[], zone: string): MrkdwnElement[] {
  return facts.map((fact) => mrkdwn(md`${bold(fact.label, shownLabel)}\n${changeText(fact, zone) || "–"}`));
}

/** Facts joined by `separator`. A fact that does not fit is left out whole: Slack shows half a date as rubbish. */
export function factLine(
  facts: readonly Fact[],
  zone: string,
  room: number = limits.fieldText,
  separator: " · " | ", " | "\n" = " · ",
): Mrkdwn {
  let line: Mrkdwn = md``;
  for (const fact of facts) {
    const text = changeText(fact, zone);
    const part = fact.label ? md`${literal(`${fact.label}:`, shownLabel)} ${text}` : text;
    const longer: Mrkdwn = line ? join([line, part], separator) : part;
    if (longer.length > room) return line ? md`${line}${separator}…` : md`…`;
    line = longer;
  }
  return line;
}

const shownHolders = 5;
const shownRoles = 5;
const rolesLength = 300;

/**
 * People and user groups: "@carol, @erin or @bob". Of many the first, and the roles of the others. In a channel's message the mentions
 * notify them.
 */
export function holderMentions(holders: readonly Holder[]): Mrkdwn {
  const people = peopleIn(holders);
  const named = [...new Set(holders.map(({ role }) => literal(role, 100)))];
  const roles = clipMrkdwn(join(named.slice(0, shownRoles), ", "), rolesLength);
  const more = named.length > shownRoles ? md` and ${named.length - shownRoles} more roles` : md``;
  const others = people.length > shownHolders ? [md`others of ${roles}${more}`] : [];
  const all = [...people.slice(0, shownHolders).map(mention), ...others];
  const [last = md`somebody else`] = all.slice(-1);
  return all.length < 2 ? last : md`${join(all.slice(0, -1), ", ")} or ${last}`;
}

/** "@carol or @erin", where the approval of either is enough; else "one of @engineers", "2 of @carol, @erin or @bob". */
export function approvalsOf(holders: readonly Holder[], count: number): Mrkdwn {
  const people = peopleIn(holders);
  const isPlain = count === 1 && people.length <= shownHolders && !people.some(isGroupId);
  return isPlain ? holderMentions(holders) : md`${count === 1 ? "one" : count} of ${holderMentions(holders)}`;
}

const peopleIn = (holders: readonly Holder[]): readonly string[] => [
  ...new Set(holders.flatMap(({ members }) => members)),
];

/** Slack clients fold a section that is much longer. */
const shownName = 80;
const shownPart = 100;
const shownLine = 400;

export const signs: Readonly<Record<Sign, `${Icon} ` | "">> = {
  on: ":large_green_circle: ",
  off: ":mute: ",
  over: ":white_circle: ",
  planned: ":spiral_calendar_pad: ",
  waiting: ":large_yellow_circle: ",
  done: ":white_check_mark: ",
  failed: ":x: ",
  unknown: ":grey_question: ",
  run: ":alarm_clock: ",
  none: "",
};

/** A thing in a list: one line, with a button or a menu at its right. */
export function lineBlock(line: Line, zone: string): SectionBlock {
  const { sign, name, parts } = line;
  let text = md`${signs[sign]}${boldLink(line.address, name, shownName)}`;
  // What people do not see of a link.
  const room = shownLine + (line.address?.length ?? 0);
  for (const part of parts) {
    const more = md` · ${partText(part, zone, shownPart)}`;
    if (text.length + more.length > room) break;
    text = md`${text}${more}`;
  }
  return section(text, accessoryOf(line));
}

/** A menu of one entry is a button. */
function accessoryOf({ id, button, menu }: Line) {
  const key = cut(id, shownPart);
  const [first, ...others] = menu;
  const only = button ?? (others.length === 0 ? first : undefined);
  // The id keeps apart what is pressed on each line.
  return only ? commandButton({ ...only, version: only.version ?? key }) : commandMenu(key, menu);
}

/** Warnings, one a line, in small print; none without one. */
export function concernBlocks(concerns: readonly Sentence[], zone: string): readonly ContextBlock[] {
  const lines = concerns.map((parts) => md`:warning: ${sentence(parts, zone)}`);
  return lines.length > 0 ? [contextBlock(join(lines, "\n"))] : [];
}
