import type { WarnedAction, WarnedGroup, WarningContent } from "../../changes/bulletin.ts";
import type { CommandButton } from "../../commands/answer.ts";
import { afterRunMs, lastings } from "../../commands/exclusion/kept-until.ts";
import type { Holder } from "../../permissions/policy.ts";
import { buttonRow, channelButton } from "./button.ts";
import { holderMentions } from "./facts.ts";
import {
  bold,
  channel,
  clip,
  contextBlock,
  date,
  join,
  literal,
  type Message,
  type Mrkdwn,
  md,
  mention,
  section,
} from "./message.ts";

/** Who reads a warning alone. Everybody sees the buttons of a channel, and is judged by the press. */
interface WarningReader {
  readonly teamId: string;
  /** Whether they may keep this group out from where they read, or ask for it. */
  readonly mayKeep: (group: WarnedGroup) => boolean;
  /** A channel where they may do what they may not do here. */
  readonly elsewhere: string | undefined;
  /** Those who may, where they may nowhere. */
  readonly couldDo: readonly Holder[];
}

/** What comes up at one minute, what is kept out of it already, and the buttons that keep the rest out. Then one grey line. */
export function warningMessage(content: WarningContent, zone: string, reader?: WarningReader): Message {
  const { at, actions, isOver } = content;
  const due = actions.filter((action) => action.off === null && isSameMinute(action.at, at));
  const names = due.length > 0 ? namesOf(due) : md`nothing is due any more`;
  const asides = [
    ...content.groups.flatMap((group) => heldLine(group, content, zone)),
    ...actions.flatMap((action) => otherwise(action, content, zone)),
  ];
  const text = literal(clip(`${isOver ? "Over" : "Coming up"}: ${due.map(({ name }) => name).join(", ")}`, 1000));
  if (isOver) {
    const said = content.outcome === null ? [] : [md`the service says: ${literal(content.outcome, 80)}`];
    const line = join([md`:white_circle: ${date(at, zone)} is over: ${names}`, ...firstOf(asides), ...said], " · ");
    return { text, blocks: [contextBlock(line)] };
  }
  const notes = [...firstOf(asides), ...(reader ? whereWords(reader) : [])];
  const links = reader?.elsewhere === undefined ? [] : [channelButton(reader.teamId, reader.elsewhere)];
  return {
    text,
    blocks: [
      section(md`:alarm_clock: *${date(at, zone)}* · ${names}`),
      ...(notes.length > 0 ? [contextBlock(join(notes, "\n"))] : []),
      ...buttonRow(buttonsFor(content, reader), ...links),
    ],
  };
}

/** A person's rights that hold only in a channel do not hold where they read this. */
function whereWords({ elsewhere, couldDo }: WarningReader): readonly Mrkdwn[] {
  if (elsewhere !== undefined) return [md`You can keep it out in ${channel(elsewhere)}.`];
  return couldDo.length > 0 ? [md`You may not keep it out yourself. Who could: ${holderMentions(couldDo, "; ")}.`] : [];
}

const minuteMs = 60_000;
const isSameMinute = (one: number, other: number): boolean =>
  Math.floor(one / minuteMs) === Math.floor(other / minuteMs);

const shownNames = 3;
const shownAsides = 5;

function namesOf(actions: readonly WarnedAction[]): Mrkdwn {
  const names = actions.slice(0, shownNames).map(({ name }) => literal(name, 80));
  const more = actions.length - shownNames;
  return md`${join(names, ", ")}${more > 0 ? md` and ${more} more` : ""}`;
}

function firstOf(asides: readonly Mrkdwn[]): readonly Mrkdwn[] {
  const more = asides.length - shownAsides;
  return more > 0 ? [...asides.slice(0, shownAsides), md`and ${more} more of these`] : asides;
}

/** "staging is kept running until 20:00 by @alice" */
function heldLine({ name, process, held }: WarnedGroup, { isOver }: WarningContent, zone: string): readonly Mrkdwn[] {
  if (!held) return [];
  const what = md`${held.isWhole ? "" : "a part of "}${bold(name, 80)}`;
  const how = process === "stop" ? "kept running" : "kept off";
  const by = held.by === null ? "" : md` by ${mention(held.by)}`;
  if (isOver) return [md`${what} was ${how}${by}`];
  return [md`${what} is ${how}${held.until === null ? "" : md` until ${date(held.until, zone)}`}${by}`];
}

/** What will not run as it was warned of. */
function otherwise(
  { name, off, at, warnedAt }: WarnedAction,
  content: WarningContent,
  zone: string,
): readonly Mrkdwn[] {
  const what = literal(name, 80);
  if (off !== null) return [md`${what} was ${literal(off)}`];
  return isSameMinute(at, content.at) ? [] : [md`${what} was moved from ${date(warnedAt, zone)} to ${date(at, zone)}`];
}

/** For the groups that are not kept out of it yet. What no group names is asked for in a form. */
function buttonsFor(content: WarningContent, reader?: WarningReader): readonly CommandButton[] {
  const { groups, actions, changedAt } = content;
  const isKept = ({ held }: WarnedGroup) => held?.isWhole === true;
  const open = groups.filter((group) => !isKept(group) && (reader?.mayKeep(group) ?? true));
  if (reader && open.length === 0) return [];
  const [first] = open;
  const named = new Set(groups.flatMap(({ actionIds }) => actionIds));
  const unnamed = actions.filter(
    ({ actionId, off, at }) => !named.has(actionId) && off === null && isSameMinute(at, content.at),
  );
  if (!first)
    return unnamed.length > 0
      ? [unnamedButton(unnamed, groups.length > 0 ? "Keep others running…" : "Keep running…")]
      : [];
  const { process } = first;
  const shown = open.filter((group) => group.process === process);
  const run = Math.max(...shown.map(({ at }) => at));
  const thing = namesWithin(shown);
  const choices = lastings.map(
    ({ value: lasting, label }): CommandButton => ({
      ...{ label, words: "skip", opens: "result", input: { thing, run, lasting, process } },
      // What was kept out and is not any more can be kept out again.
      version: String(changedAt),
    }),
  );
  const form = shown.length === 1 ? [groupButton(first)] : [];
  return [...form, ...choices, ...(unnamed.length > 0 ? [unnamedButton(unnamed, "Keep others running…")] : [])];
}

const shownName = 40;

function groupButton({ name, project, type, ids, process, at }: WarnedGroup): CommandButton {
  const label = `Keep ${clip(name, shownName)} ${process === "stop" ? "running" : "off"}…`;
  const place = { type, project, process, until: at + afterRunMs };
  const input = ids.join().length > maxIds ? place : { resourceIds: ids, ...place };
  return { label, words: "exclusion create", opens: "form", input };
}

/** More do not fit into a button. */
const maxIds = 1500;

/** The form, filled with what is the same for all of them. */
function unnamedButton(actions: readonly WarnedAction[], label: string): CommandButton {
  const project = only(actions.map(({ projectId }) => projectId));
  const type = only(actions.map(({ resourceType }) => resourceType));
  const process = only(actions.map((action) => action.process)) ?? "both";
  const input = {
    ...(project ? { project } : {}),
    ...(type ? { type } : {}),
    ...{ process, until: Math.max(...actions.map(({ at }) => at)) + afterRunMs },
  };
  const isStart = process === "start";
  return { label: isStart ? label.replace("running", "off") : label, words: "exclusion create", opens: "form", input };
}

function only<T>(values: readonly T[]): T | undefined {
  const [value, ...others] = new Set(values);
  return others.length === 0 ? value : undefined;
}

/** As many names as a button's value holds. */
function namesWithin(groups: readonly WarnedGroup[]): string {
  let names = "";
  for (const { name } of groups) {
    const longer = names ? `${names} ${name}` : name;
    if (longer.length > maxNames) break;
    names = longer;
  }
  return names;
}

const maxNames = 1000;
