import type { KnownBlock } from "@slack/types";
import { rightsOf } from "../../changes/authorize/rights-of.ts";
import type { Bulletin, BulletinContent, WarnedGroup, WarningContent } from "../../changes/bulletin.ts";
import type { Change } from "../../changes/change.ts";
import type { DigestContent, ExcludedNow, HoursOf } from "../../changes/digest/digest.ts";
import { foundElsewhere } from "../../changes/found-elsewhere.ts";
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
import type { DirectoryStore } from "../../directory/directory.ts";
import type { Actor } from "../../permissions/actor.ts";
import { inHours } from "../../permissions/budgets/weekly-hours.ts";
import { unknownProject, whoCould } from "../../permissions/decide.ts";
import { browseOperation } from "../../service/operations.ts";
import { formatDay } from "../../time/format-moment.ts";
import { addDays, wallClockAt } from "../../time/wall-clock.ts";
import type { ChannelMembers } from "../people/channel-members.ts";
import { buttonRow, commandButton, withButtons } from "./button.ts";
import { bodyAfter, type CardContext } from "./cards/card-context.ts";
import { subject } from "./cards/exclusion-card.ts";
import { lineBlock } from "./facts.ts";
import {
  bold,
  clip,
  clipMrkdwn,
  codeBlock,
  contextBlock,
  date,
  join,
  limits,
  literal,
  type Message,
  type Mrkdwn,
  md,
  message,
  notLikeOurs,
  section,
  sentence,
} from "./message.ts";
import { warningMessage } from "./warning.ts";

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
  const targetOf = ({ project: projectId, type: resourceType }: WarnedGroup) => ({
    projectId,
    resourceType,
    exclusionLengthMs: 0,
  });
  const placeOf = (group: WarnedGroup) => mays.find(({ may }) => may(operation, targetOf(group)))?.place;
  const left = groups.filter(({ held }) => !held?.isWhole);
  const elsewhere = left.map(placeOf).find((place) => typeof place === "string") ?? undefined;
  const mayAsk = mayAskFor(settings(), exclusionCreate, reader);
  const mayKeep = (group: WarnedGroup) => {
    const place = placeOf(group);
    return place === null || (place === undefined && mayAsk);
  };
  const [barred] = left.filter((group) => !mayKeep(group));
  const byReader = { actor: reader, operation, channelId: null, isOwn: false };
  const couldDo = barred ? whoCould(settings().policy, { ...byReader, ...targetOf(barred) }) : [];
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
  const start = md`:pencil2: The exclusion of ${subject(body, context)} was ${found.what} in the service, not by Curfew`;
  const noticed = md`Noticed ${date(change.settledAt ?? change.requestedAt, zone)}, when ${literal(change.actor.name, 80)} wanted to change it`;
  const show: CommandButton = { label: "History", words: "history", opens: "result", input: { which: change.id } };
  return withButtons(
    message(`An exclusion was ${found.what} in the service, not by Curfew`, [
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
