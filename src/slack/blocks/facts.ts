import type { MrkdwnElement } from "@slack/types";
import type { Fact, FactValue } from "../../commands/answer.ts";
import { clip } from "./clip.ts";
import { date, escapeMrkdwn, mrkdwn } from "./mrkdwn.ts";

const shownValue = 300;

/** A fact's value in mrkdwn, escaped and of bounded length; times for readers and in `zone`. */
export function factText(value: FactValue, zone: string): string {
  if (typeof value === "string") return escapeMrkdwn(clip(value, shownValue));
  if ("at" in value) return date(value.at, zone);
  return escapeMrkdwn(clip(value.list.join(", "), shownValue));
}

function changeText({ value, before }: Fact, zone: string): string {
  const now = factText(value, zone);
  return before === undefined ? now : `${factText(before, zone)} → ${now}`;
}

/** Facts in two columns, for a card. */
export function factFields(facts: readonly Fact[], zone: string): MrkdwnElement[] {
  return facts.map((fact) => mrkdwn(`*${escapeMrkdwn(fact.label)}*\n${changeText(fact, zone) || "–"}`));
}

/** Facts in one line, for a list. */
export function factLine(facts: readonly Fact[], zone: string): string {
  const parts = facts.map((fact) =>
    fact.label ? `${escapeMrkdwn(fact.label)}: ${changeText(fact, zone)}` : changeText(fact, zone),
  );
  return parts.join(" · ");
}
