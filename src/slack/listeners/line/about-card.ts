import type { CardSubject, Held } from "../../../changes/queries/card-subject.ts";
import { withdraw } from "../../../commands/about-changes/approval.ts";
import { history } from "../../../commands/about-changes/history.ts";
import { catalogue } from "../../../commands/catalogue.ts";
import type { Command, CommandContext } from "../../../commands/command.ts";
import { exclusionCreate, exclusionEnd } from "../../../commands/exclusion/exclusion.ts";
import { exclusionEdit } from "../../../commands/exclusion/exclusion-edit.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import type { Asked } from "../../../commands/exclusion/kept-until.ts";
import { exclusionRepeat } from "../../../commands/exclusion/planned/exclusion-repeat.ts";
import { leaveOutOne } from "../../../commands/exclusion/planned/leave-out.ts";
import { groupOf } from "../../../commands/exclusion/resource-context.ts";
import type { Field } from "../../../commands/field.ts";
import { next } from "../../../commands/lookup/next.ts";
import { status } from "../../../commands/lookup/status.ts";
import { why } from "../../../commands/lookup/why.ts";
import type { Plan } from "../../../commands/query-ports.ts";
import { warnMe } from "../../../commands/warnings.ts";
import type { Names } from "../../../language/sense/names.ts";
import type { LineSplit, SplitLine } from "../../../language/split-line.ts";
import type { Word } from "../../../language/tokenize.ts";
import { timeAt } from "../../../time/format-moment.ts";
import { readInAccount } from "./in-account.ts";
import { isPlain, readLine, understandLine } from "./understand-line.ts";

type Context = Asked & Pick<CommandContext, "now" | "calendars">;

/**
 * Splits a typed line. In the thread of a card it is about that card where it names nothing else: `extend 1h`, `end it`, `edit until
 * 20:00`, `status`, `why`, `history`, `undo`; `deny because …` and `approve` on a request, `withdraw` on a plan.
 */
export async function understandInThread(
  text: string,
  context: Context,
  card: CardSubject | undefined,
  names: () => Promise<Names>,
): Promise<LineSplit> {
  const { settings } = context;
  if (Object.keys(settings.accounts).length === 0) return understand(text, context, card, names);
  return readInAccount(text, settings, (line) => understand(line, context, card, names));
}

async function understand(
  text: string,
  context: Context,
  card: CardSubject | undefined,
  names: () => Promise<Names>,
): Promise<LineSplit> {
  const same = card?.held && /^\s*(?:the\s+)?same\s+(?!as\b)(?:again\s+|thing\s+)?(.+)$/is.exec(text)?.[1];
  const said = same && card.held ? `keep it up ${dayLike(same, card.held, context)}` : text;
  const asking = askedOf(said, context);
  const read = asking ?? readLine(said, catalogue, context);
  // "ok" is an answer to a request.
  const isAnswer =
    card?.isWaiting && read.kind === "split" && read.command.words === "help" && /^\s*(?!help)\w/i.test(text);
  const about = card && ({ card: kindOf(card), cardPerson: card.user } as const);
  const split =
    !isAnswer && (asking || isPlain(said, read))
      ? read
      : understandLine(said, catalogue, context, await names(), about, read);
  if (!card) return split;
  if (split.kind === "unclear") {
    const { offers } = split;
    return card.isWaiting && offers
      ? { ...split, offers: offers.map((line) => ofRequest(line, card.changeId)) }
      : split;
  }
  if (card.held) {
    const more = ofHeld(split, card.held, context);
    if (more) return more;
  }
  if (card.plan && split.command === leaveOutOne && !split.parts.has("thing"))
    return { ...split, parts: withPart(split.parts, "thing", [wordOf(card.plan.id)]) };
  if (card.plan && namesNothing(split)) return ofPlan(text, split, card.plan, context);
  if (card.isExclusionWaiting && namesNothing(split)) return ofWaiting(split, card);
  return aboutCard(card.changeId && split.command.kind === "decision" ? withoutOther(split) : split, card, context);
}

/** "ask carol to keep staging up for 10 days": the line with `--ask`. Who decides follows from the config. */
function askedOf(text: string, context: Context): LineSplit | undefined {
  const line = /^\s*(?:please\s+)?ask\s+(?:(?:<@[^>]+>|\S+)\s+)?(?:to|for)\s+(?!allow\b)(.+)$/is.exec(text)?.[1];
  const split = line && readLine(`${line} --ask`, catalogue, context);
  const isWhole = split && split.kind === "split" && split.problems.length + split.unexplained.length === 0;
  return isWhole && split.command.kind === "change" ? split : undefined;
}

/** "tomorrow" as the day of the same hours. */
function dayLike(day: string, { from, until }: Held, { actor }: Context): string {
  const clock = (at: number) => timeAt(at, actor.timeZone);
  return /\d/.test(day) || until - from >= dayMs ? day : `${day} ${clock(from)}-${clock(until)}`;
}

const dayMs = 24 * 3_600_000;

/**
 * More of what the card's exclusion holds: "keep it up tomorrow 18:00-20:00" or "extend tomorrow until 19:00" for its resources at another
 * time, "keep build up" for others until the same end. With its reason, if none is given.
 */
function ofHeld(split: SplitLine, held: Held, context: Context): SplitLine | undefined {
  const until = textOf(split.parts.get("until"));
  if (split.command === exclusionExtend && namesNothing(split) && /\S\s+(?:until|till?)\s/i.test(until)) {
    const again = readLine(`keep it up ${until}`, catalogue, context);
    const isOther = again.kind === "split" && again.parts.has("from");
    const reason = split.parts.get("reason");
    return isOther ? ofHeld({ ...again, parts: withPart(again.parts, "reason", reason) }, held, context) : undefined;
  }
  const { command, parts, sets } = split;
  if (command !== exclusionCreate && command !== exclusionRepeat) return undefined;
  const isOfIt = textOf(parts.get("resourceIds")).replace(pronoun, "") === "";
  const isOpen = command === exclusionCreate && !["from", "until"].some((name) => parts.has(name) || name in sets);
  if (!isOfIt && (!isOpen || held.until <= context.now)) return undefined;
  const { process, ...what } = held.input;
  const reason = parts.get("reason") ?? (held.reason === null ? undefined : [wordOf(held.reason)]);
  const others = new Map([...parts].filter(([name]) => !isOfIt || name !== "resourceIds"));
  return {
    ...split,
    parts: withPart(others, "reason", reason),
    sets: { ...(isOfIt ? { process, ...what } : {}), ...(isOpen ? { until: held.until } : {}), ...sets },
  };
}

const withPart = (parts: SplitLine["parts"], name: string, words: readonly Word[] | undefined) =>
  new Map([...parts, ...(words ? [[name, words] as const] : [])]);

/** An offered decision is about the card's request. */
function ofRequest(line: string, id: string): string {
  const [, verb, reason = ""] = /^(approve|deny|withdraw)(?: because (.*))?$/.exec(line) ?? [];
  if (verb === undefined) return line;
  const note = verb === "approve" && reason !== "" ? `--note "${reason.replaceAll('"', "")}"` : "";
  return `${verb} ${id} ${verb === "deny" ? reason : note}`.trim();
}

const kindOf = ({ isWaiting, exclusionId, plan }: CardSubject) =>
  isWaiting ? "request" : (exclusionId ?? plan) === undefined ? "other" : "exclusion";

/** "It" is what the card is about. */
const pronoun = /^(?:it|this|that|these|them|this one|that one)$/i;
const isPronoun = (said: string): boolean => said === "" || pronoun.test(said);
const changeId = /^chg-\w+$/i;
/** "deny it he has his phone": before any other word, "it" belongs to the reason. */
const startsReason = /^(?:because|bc|since|as|he|she|they|we|i|you|there)(?:['’]\w+)?$/i;

const textOf = (words: readonly Word[] = []): string => words.map(({ value }) => value).join(" ");
const wordOf = (value: string): Word => ({ value, isQuoted: false, start: 0 });

/** Whether the exclusion that a command needs is not named. */
function namesNothing({ command, parts }: SplitLine): boolean {
  if (!ofExclusion.has(command.words)) return false;
  const said = textOf(parts.get("exclusion"));
  return isPronoun(said);
}

const ofExclusion: ReadonlySet<string> = new Set([exclusionEnd.words, exclusionExtend.words, exclusionEdit.words]);

/** What is only planned has its own id. An edit of it says anew what was planned, so a time counts from its start. */
function ofPlan(text: string, split: SplitLine, { id, words, input, repeats }: Plan, context: Context): LineSplit {
  if (split.command.words !== exclusionEdit.words || repeats !== undefined)
    return { ...split, parts: new Map([...split.parts, ["exclusion", [wordOf(id)]]]) };
  const said = text.replace(/^\s*(?:please\s+)?edit(?:\s+(?:it|this|that)\b)?/i, "");
  const edit = readLine(`${words} ${said}`, catalogue, context);
  return edit.kind === "unclear" ? edit : { ...edit, sets: { ...input, ...edit.sets, replaces: id } };
}

/** What waits has no end yet. To end it is to withdraw it. */
function ofWaiting(split: SplitLine, { changeId: id }: CardSubject): LineSplit {
  if (split.command.words !== exclusionEnd.words) return { kind: "unclear", problem: noEndYet, words: [] };
  return { ...split, command: withdraw, parts: new Map([["change", [wordOf(id)]]]) };
}

const noEndYet =
  "This waits for approval, so it has no end to move yet. Nothing was changed: withdraw it and ask anew.";

/**
 * A decision about the card: all that is said belongs to its reason. An approval takes a note only after "because", since more words
 * may mean something else.
 */
function withoutOther(split: SplitLine): SplitLine {
  const { command, parts, unexplained } = split;
  const first = parts.get("change") ?? [];
  if (first.length === 0 || changeId.test(textOf(first))) return split;
  const others = [...(parts.get("reason") ?? []), ...unexplained];
  const isNamed = pronoun.test(textOf(first)) && (others.length === 0 || startsReason.test(others[0]?.value ?? ""));
  const said = [...(isNamed ? [] : first), ...others];
  const isBecause = /^(?:because|bc)$/i.test(said[0]?.value ?? "");
  const note = isBecause ? said.slice(1) : said;
  const field = "reason" in command.fields ? "reason" : "note" in command.fields && isBecause ? "note" : undefined;
  if (field === undefined) return split;
  const kept = [...parts].filter(([name]) => name !== "change" && name !== "reason");
  return {
    ...split,
    parts: new Map([...kept, ...(note.length > 0 ? [[field, note] as const] : [])]),
    unexplained: [],
  };
}

function aboutCard(split: SplitLine, card: CardSubject, context: Context): SplitLine {
  const { command, parts } = split;
  // What was not made has no status but that of its change.
  const isAsked = aboutThings.has(command.words) && isPronoun(textOf(parts.get("thing")));
  if (isAsked && (card.thing === undefined || (command.words === status.words && !card.isMade)))
    return { ...split, command: history, parts: new Map([["which", [wordOf(card.changeId)]]]) };
  const meant = Object.entries<Field>(command.fields).flatMap(([name, field]) => {
    const said = textOf(parts.get(name));
    const value = isPronoun(said) ? meantBy(command, name, field, card, context) : undefined;
    return value === undefined ? [] : [[name, [wordOf(value)]] as const];
  });
  return meant.length === 0 ? split : { ...split, parts: new Map([...parts, ...meant]) };
}

function meantBy(
  command: Command,
  name: string,
  field: Field,
  card: CardSubject,
  context: Context,
): string | undefined {
  if (field.positional === undefined) return undefined;
  if (command === warnMe && name === "group" && card.held)
    return groupOf(card.held.input.resourceIds, context.settings.resourceGroups);
  if (field.kind === "reference") return field.to === "exclusion" ? card.exclusionId : undefined;
  if (command.kind === "undo" && name === "change") return card.lastChangeId;
  if (command.kind === "decision" && name === "change") return card.changeId;
  if (command.words === history.words && name === "which") return card.isMade ? card.thing : card.changeId;
  return aboutThings.has(command.words) && name === "thing" ? card.thing : undefined;
}

const aboutThings: ReadonlySet<string> = new Set([status.words, why.words, next.words]);
