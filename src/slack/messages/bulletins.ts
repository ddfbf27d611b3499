import type { KnownBlock } from "@slack/types";
import { foundElsewhere } from "../../changes/announce.ts";
import { rightsOf } from "../../changes/authorize/decide-change.ts";
import type {
  Bulletin,
  BulletinContent,
  DigestContent,
  ExcludedNow,
  HoursOf,
  WarnedAction,
  WarnedGroup,
  WarningContent,
} from "../../changes/bulletin.ts";
import type { Change } from "../../changes/change.ts";
import type { ChangeSettings } from "../../changes/ports.ts";
import type { OwnWarningStore } from "../../changes/queries/own-warnings.ts";
import { mayAskFor } from "../../changes/queries/queries.ts";
import { actionList, actionShow } from "../../commands/action.ts";
import type { CommandButton, Line } from "../../commands/answer.ts";
import {
  type ActionChangedElsewhere,
  elsewhereWords,
  type NameOf,
  withNames,
} from "../../commands/changed-elsewhere.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import { keepWords } from "../../commands/exclusion/exclusion-body.ts";
import { afterRunMs, lastings } from "../../commands/exclusion/kept-until.ts";
import { groupTarget, only } from "../../commands/exclusion/resource-context.ts";
import type { DirectoryStore } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { unknownProject, whoCould } from "../../permissions/decide.ts";
import { inHours } from "../../permissions/held-time.ts";
import type { Holder } from "../../permissions/policy.ts";
import { browseOperation } from "../../service/operations.ts";
import { formatDay } from "../../time/format-moment.ts";
import { addDays, wallClockAt } from "../../time/wall-clock.ts";
import type { ChannelMembers } from "../people/channel-members.ts";
import { buttonRow, channelButton, commandButton, withButtons } from "./button.ts";
import { bodyAfter, type CardContext } from "./cards/card-context.ts";
import { keeping, subject } from "./cards/exclusion-card.ts";
import { holderMentions, lineBlock } from "./facts.ts";
import { contextBlock, type Message, message, section } from "./message.ts";
import {
  bold,
  channel,
  clip,
  clipMrkdwn,
  codeBlock,
  date,
  join,
  limits,
  literal,
  type Mrkdwn,
  md,
  mention,
  notLikeOurs,
  sentence,
} from "./text.ts";

/** What drawing a bulletin looks at. */
interface BulletinSources {
  readonly store: Pick<DirectoryStore, "get"> & Pick<OwnWarningStore, "ownWarnings">;
  readonly settings: () => ChangeSettings;
  /** Looks up a Slack user now. Throws if Slack cannot say who it is. */
  readonly actor: (slackUserId: string) => Promise<Actor>;
  readonly channelMembers: Pick<ChannelMembers, "has">;
  /** The IANA zone of a channel. */
  readonly zoneOf: (channelId: string) => string;
}

/** A bulletin as it is now; undefined when there is nothing left to say. */
export type DrawBulletin = (bulletin: Bulletin, to: string) => Promise<Message | undefined>;

export function createDrawBulletin(sources: BulletinSources): DrawBulletin {
  return async ({ content }, to) => {
    switch (content.kind) {
      case "elsewhere":
        return elsewhereMessage(content, sources.zoneOf(to), sources);
      case "warning":
        return isUserId(to) ? ownWarningMessage(content, sources) : warningMessage(content, sources.zoneOf(to));
      case "digest":
        return digestMessage(content);
    }
  };
}

/** Whether a message goes to a person rather than to a channel (PLATFORM.md §11.1). */
const isUserId = (to: string): boolean => /^[UW]/.test(to);

/** A warning as its reader may see it now; undefined for somebody who may see nothing of it, or has left. */
async function ownWarningMessage(
  content: WarningContent,
  { store, settings, actor, channelMembers }: BulletinSources,
): Promise<Message | undefined> {
  const reader = await actor(content.to);
  if (reader.membership !== "member") return undefined;
  const asked = [...new Set((await store.ownWarnings(reader.userId)).map(({ channelId }) => channelId))];
  const isThere = async (id: string | null) => id === null || (await channelMembers.has(id, reader.userId, "read"));
  const entered = await Promise.all(asked.map(async (id) => ((await isThere(id)) ? [id] : [])));
  const places = [...new Set([null, ...entered.flat()])];
  const mays = places.map((place) => ({ place, may: rightsOf(settings(), reader, place) }));
  const maySee = (projectId: string | null) =>
    mays.some(({ may }) => may(browseOperation, { projectId: projectId ?? unknownProject }));
  const actions = content.actions.filter(({ projectId }) => maySee(projectId));
  if (actions.length === 0) return undefined;
  const groups = content.groups.filter(({ project }) => maySee(project));
  const { operation } = exclusionCreate;
  // A press counts where the message is, and that is in no channel.
  const placeOf = (group: WarnedGroup) => mays.find(({ may }) => may(operation, groupTarget(group)))?.place;
  const left = groups.filter(({ held }) => !held?.isWhole);
  const elsewhere = left.map(placeOf).find((place) => typeof place === "string") ?? undefined;
  const mayAsk = mayAskFor(settings(), exclusionCreate, reader);
  const mayKeep = (group: WarnedGroup) => {
    const place = placeOf(group);
    return place === null || (place === undefined && mayAsk);
  };
  const [barred] = left.filter((group) => !mayKeep(group));
  const byReader = { actor: reader, operation, channelId: null, isOwn: false };
  const couldDo = barred ? whoCould(settings().policy, { ...byReader, ...groupTarget(barred) }) : [];
  return warningMessage({ ...content, actions, groups }, reader.timeZone, {
    ...{ teamId: reader.teamId, mayKeep, elsewhere, couldDo },
  });
}

const shownActions = 5;
const longestName = 80;
const longestValue = 150;
/** So that five lines fit into one section. */
const longestLine = Math.floor(limits.sectionText / shownActions) - 1;

/** What was changed in the service itself: one line for each action. */
async function elsewhereMessage(
  { actions, since }: Extract<BulletinContent, { readonly kind: "elsewhere" }>,
  zone: string,
  { store }: Pick<BulletinSources, "store">,
): Promise<Message> {
  const nameOf: NameOf = async (kind, id) => (await store.get(kind, id))?.name ?? id;
  const shown = await Promise.all(
    actions.slice(0, shownActions).map(async (action) => ({
      ...(await withNames(action, nameOf)),
      projectId: action.projectId === null ? null : await nameOf("project", action.projectId),
    })),
  );
  const lines = shown.map((action) => elsewhereLine(action, zone));
  const more = actions.length - shownActions;
  const small = join(
    [
      ...(since === null ? [] : [md`Changed since ${date(since, zone)}: Curfew could not look for a while.`]),
      ...(more > 0 ? [md`And ${more} more.`] : []),
      ...(actions.length === 1 ? placesIn(shown) : []),
    ],
    " · ",
  );
  const shownAll = message(`In the service: ${actions.map(inShort).join(", ")}`, [
    section(join(lines, "\n")),
    ...(small ? [contextBlock(small)] : []),
  ]);
  return withButtons(shownAll, elsewhereButtons(actions));
}

const inShort = ({ name, what }: ActionChangedElsewhere): string => `${name} was ${what}`;

/** The project, unless the line says it. */
function placesIn(shown: readonly ActionChangedElsewhere[]): readonly Mrkdwn[] {
  return shown.flatMap(({ projectId, differences }) =>
    projectId === null || differences.some(({ part }) => part === "project") ? [] : [literal(projectId, longestName)],
  );
}

const icons = { created: ":new:", changed: ":pencil2:", deleted: ":wastebasket:" } as const;

function elsewhereLine(action: ActionChangedElsewhere, zone: string): Mrkdwn {
  const { name, what, by, at } = action;
  const { verb, details } = elsewhereWords(action);
  const start = md`${icons[what]} ${bold(name, longestName)} was ${sentence(verb, zone, longestValue)} in the service`;
  const who = [...(by === null ? [] : [md`by ${literal(by, longestName)}`]), ...(at === null ? [] : [date(at, zone)])];
  const end = who.length > 0 ? md` (${join(who, ", ")})` : "";
  const room = Math.max(1, longestLine - start.length - end.length);
  const more = clipMrkdwn(sentence(details, zone, longestValue), room);
  return md`${start}${more ? md`: ${more}` : ""}${end}`;
}

/** What is left to look at. */
function elsewhereButtons(actions: readonly ActionChangedElsewhere[]): readonly CommandButton[] {
  const [only, ...others] = actions.filter(({ what }) => what !== "deleted");
  if (!only) return [];
  return others.length === 0
    ? [{ label: "Show the action", words: actionShow.words, opens: "result", input: { action: only.actionId } }]
    : [{ label: "Show all actions", words: actionList.words, opens: "result", input: {} }];
}

/** Somebody ended or changed an exclusion in the service, as a change of it found out. */
export function foundElsewhereMessage(change: Change, context: CardContext): Message | undefined {
  const found = foundElsewhere(change);
  if (!found) return undefined;
  const zone = change.actor.timeZone;
  const body = bodyAfter([change]);
  const differences = found.what === "changed" ? found.differences : [];
  const { details } = elsewhereWords({ what: "changed", differences });
  const what = keeping(body, subject(body, context));
  const start = md`:pencil2: In the service, not by Curfew, somebody ${found.what} ${what}`;
  const noticed = md`Noticed ${date(change.settledAt ?? change.requestedAt, zone)}, when ${literal(change.actor.name, 80)} wanted to change it`;
  const show: CommandButton = { label: "History", words: "history", opens: "result", input: { which: change.id } };
  return withButtons(
    message(`In the service, not by Curfew, somebody ${found.what} ${keepWords(body, "doing")}`, [
      section(md`${start}${details.length > 0 ? md`: ${sentence(details, zone, 150)}` : ""}`),
      contextBlock(noticed),
    ]),
    [show],
  );
}

const shownExcluded = 8;
const shownRepeated = 3;

/** What was kept running in a week, and what is excluded now. An empty week is one line. */
function digestMessage(digest: DigestContent): Message {
  const { excluded, ms, beforeMs } = digest;
  if (ms === 0 && beforeMs === 0 && excluded.length === 0) return emptyWeek(digest);
  return {
    text: digestHeadline(digest, (hours) => md`${hours} h`),
    blocks: [
      section(md`:bar_chart: ${digestHeadline(digest, (hours) => md`*${hours} h*`)}`),
      ...(ms === 0 && beforeMs === 0 ? [] : [barsBlock(digest)]),
      ...findings(digest),
      ...excludedBlocks(digest),
    ],
  };
}

function emptyWeek(digest: DigestContent): Message {
  const text = literal(`Nothing was kept running ${weekOf(digest)}, and nothing is excluded now.`);
  return { text, blocks: [section(md`:bar_chart: ${text}`)] };
}

/** "Resources were kept running for 43 h from Mon 16 Nov to Sun 22 Nov, 12 h more than the week before." */
function digestHeadline(digest: DigestContent, shown: (hours: number) => Mrkdwn): Mrkdwn {
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
  return section(text);
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
    return section(text, button);
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
    section(md`*Excluded now*`),
    ...excluded.slice(0, shownExcluded).map((each) => lineBlock(excludedLine(each), zone)),
    ...(more > 0 ? [contextBlock(md`and ${more} more`), ...buttonRow([all])] : []),
  ];
}

function excludedLine({ id, what, project, since, until, by }: ExcludedNow): Line {
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
function warningMessage(content: WarningContent, zone: string, reader?: WarningReader): Message {
  const { at, actions, isOver } = content;
  const due = actions.filter((action) => action.off === null && isSameMinute(action.at, at));
  const names = due.length > 0 ? namesOf(due) : md`nothing is due any more`;
  const asides = [
    ...content.groups.flatMap((group) => heldLine(group, content, zone)),
    ...actions.flatMap((action) => otherwise(action, content, zone)),
  ];
  const text = literal(clip(`${isOver ? "Over" : "Coming up"}: ${due.map(({ name }) => name).join(", ")}`, 1000));
  if (isOver) {
    const line = join([md`:white_circle: ${date(at, zone)}: ${names}`, ...firstOf(asides)], " · ");
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
  return couldDo.length > 0 ? [md`You may not keep it out yourself. Who could: ${holderMentions(couldDo)}.`] : [];
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

const shownGroup = 40;

function groupButton({ name, project, type, ids, process, at }: WarnedGroup): CommandButton {
  const label = `Keep ${clip(name, shownGroup)} ${process === "stop" ? "running" : "off"}…`;
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
