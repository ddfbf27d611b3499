import type { MrkdwnElement } from "@slack/types";
import type { Fact, FactValue } from "../../commands/answer.ts";
import type { Holder } from "../../permissions/policy.ts";
import { date, escapeWithin, limits, mention, mrkdwn } from "./message.ts";

const shownValue = 300;
const shownLabel = 100;

/** A fact's value in mrkdwn, escaped and of bounded length; times for readers and in `zone`. */
export function factText(value: FactValue, zone: string): string {
  if (typeof value === "string") return escapeWithin(value, shownValue);
  if ("at" in value) return date(value.at, zone);
  return escapeWithin(value.list.join(", "), shownValue);
}

function changeText({ value, before }: Fact, zone: string): string {
  const now = factText(value, zone);
  return before === undefined ? now : `${factText(before, zone)} → ${now}`;
}

/** Facts in two columns, for a card. */
export function factFields(facts: readonly Fact[], zone: string): MrkdwnElement[] {
  return facts.map((fact) => mrkdwn(`*${escapeWithin(fact.label, shownLabel)}*\n${changeText(fact, zone) || "–"}`));
}

/** Facts in one line, for a list, or in lines; those that do not fit are left out whole, since half a date shows as rubbish. */
export function factLine(
  facts: readonly Fact[],
  zone: string,
  room: number = limits.fieldText,
  separator = " · ",
): string {
  let line = "";
  for (const fact of facts) {
    const said = changeText(fact, zone);
    const part = fact.label ? `${escapeWithin(fact.label, shownLabel)}: ${said}` : said;
    const longer = line ? `${line}${separator}${part}` : part;
    if (longer.length > room) return line ? `${line}${separator}…` : "…";
    line = longer;
  }
  return line;
}

/** Roles, and who is in them: `admin (@carol)`. In a channel's message it notifies them. */
export function holderMentions(holders: readonly Holder[], separator: string): string {
  return several(holders.map(mentionsOf), separator);
}

function mentionsOf({ role, members }: Holder): string {
  return `${escapeWithin(role, 100)} (${several(members.map(memberMention), ", ")})`;
}

/** The first few: a role may have more members than a message has room for. */
function several(all: readonly string[], separator: string): string {
  const shown = 5;
  return [...all.slice(0, shown), ...(all.length > shown ? ["…"] : [])].join(separator);
}

function memberMention(id: string): string {
  return id.startsWith("S") ? `<!subteam^${id}>` : mention(id);
}
