import type { MrkdwnElement } from "@slack/types";
import type { Fact, FactValue } from "../../commands/answer.ts";
import type { Holder } from "../../permissions/policy.ts";
import { bold, date, join, limits, literal, type Mrkdwn, md, mention, mrkdwn } from "./message.ts";

const shownValue = 300;
const shownLabel = 100;
/** Of what two texts have in common, before where they differ. */
const shownAlike = 100;

/** A fact's value in mrkdwn, escaped and clipped. A time is shown in the reader's zone and in `zone`. */
export function factText(value: FactValue, zone: string): Mrkdwn {
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

/** Roles and their members: `admin (@carol)`. In a channel's message the mentions notify them. */
export function holderMentions(holders: readonly Holder[], separator: " or " | "; "): Mrkdwn {
  return firstFew(holders.map(mentionsOf), separator);
}

function mentionsOf({ role, members }: Holder): Mrkdwn {
  return md`${literal(role, 100)} (${firstFew(members.map(mention), ", ")})`;
}

/** A role may have more members than a message has room for. */
function firstFew(all: readonly Mrkdwn[], separator: " or " | "; " | ", "): Mrkdwn {
  const shown = 5;
  return join([...all.slice(0, shown), ...(all.length > shown ? [md`…`] : [])], separator);
}
