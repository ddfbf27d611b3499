import type { ActionsBlock, HomeView, KnownBlock, PlainTextOption } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { ChangeSettings } from "../../changes/ports.ts";
import { isOffered, type Queries, refusalOf } from "../../changes/queries/queries.ts";
import { approvalList } from "../../commands/about-changes/approval.ts";
import { history } from "../../commands/about-changes/history.ts";
import { type CommandButton, isLine, type Line } from "../../commands/answer.ts";
import { catalogue } from "../../commands/catalogue.ts";
import type { Command, CommandContext, QueryCommand } from "../../commands/command.ts";
import { exclusionCreate, exclusionList } from "../../commands/exclusion/exclusion.ts";
import type { Input } from "../../commands/field.ts";
import { find } from "../../commands/lookup/find.ts";
import { next } from "../../commands/lookup/next.ts";
import type { Logger } from "../../observability/log.ts";
import { versionText } from "../../observability/version.ts";
import { channelsHeld, rolesHeld } from "../../permissions/policy.ts";
import { giveWay } from "../../time/slices.ts";
import { within } from "../../time/within.ts";
import { plainText } from "../fields/field-kind.ts";
import { buttonRow, commandButton, menuAction, menuOption } from "../messages/button.ts";
import { lineBlock } from "../messages/facts.ts";
import { contextBlock, section } from "../messages/message.ts";
import { refusalWords } from "../messages/notices.ts";
import {
  bold,
  channel,
  clip,
  code,
  date,
  type Icon,
  join,
  limits,
  literal,
  type Mrkdwn,
  md,
} from "../messages/text.ts";
import type { ChannelMembers } from "../people/channel-members.ts";
import { SlackSilentError } from "../people/look-up.ts";

/** One person's Home tab: what waits for them, what they keep, and what stops next; the rest is behind buttons. */
export async function drawHome(sources: HomeSources, userId: string): Promise<HomeView> {
  const here = await sources.contextFor(userId, null);
  const refusal = refusalReason(sources, here);
  if (refusal) return view([line(":no_entry:", refusal)]);
  const places = await placesOf(sources, here);
  const drawn = await Promise.all(sections.map((each) => drawSection(sources, each, places)));
  const asOf = md`As of ${date(here.now, here.actor.timeZone)}. Open this tab again to refresh it. ${literal(versionText)}.`;
  const empty = drawn.flatMap((part) => part.empty ?? []).map((text) => literal(text));
  return view([
    ...offers(sources, places),
    ...drawn.flatMap(({ blocks }) => blocks),
    ...viewButtons(sources, places),
    contextBlock(join([...empty, asOf], " ")),
  ]);
}

/** Why this person may not use Curfew at all; undefined when they may. */
function refusalReason({ settings }: HomeSources, context: CommandContext): string | undefined {
  if (context.actor.membership !== "member") return refusalWords(refusalOf(settings(), exclusionCreate, context));
  if (rolesHeld(settings().policy, context.actor).length > 0) return undefined;
  return "You may not use Curfew: nobody has given you a role. Ask those who run it.";
}

/** Shown when a Home tab could not be drawn. */
export function unavailableHome(reference: string): HomeView {
  return view([line(":warning:", `Curfew could not load this tab (${reference}). Open it again in a moment.`)]);
}

function view(blocks: KnownBlock[]): HomeView {
  return { type: "home", blocks };
}

function line(icon: Icon, text: string): KnownBlock {
  return section(md`${icon} ${literal(text, limits.sectionText / 2)}`);
}

/** Everything that a Home tab is drawn from. */
export interface HomeSources {
  readonly client: Pick<WebClient, "views">;
  readonly settings: () => ChangeSettings;
  readonly queries: Queries;
  readonly slashCommand: string;
  readonly log: Logger;
  readonly channelMembers: Pick<ChannelMembers, "nameOf">;
  /**
   * The person as a requester outside any channel, or in one that they are in; of another, outside any. Throws when Slack cannot say
   * who they are.
   */
  readonly contextFor: (userId: string, channelId: string | null) => Promise<CommandContext>;
}

/** Where a person may act from the Home tab: outside any channel, and in channels that give them more and that they are in. */
interface HomePlaces {
  readonly here: CommandContext;
  readonly channels: readonly HomeChannel[];
  /** Channels that would give them more. */
  readonly elsewhere: readonly string[];
}

interface HomeChannel {
  readonly id: string;
  readonly name: string | undefined;
  readonly context: CommandContext;
}

/** Each channel costs a set of queries. */
const maxChannels = 3;

async function placesOf(sources: HomeSources, here: CommandContext): Promise<HomePlaces> {
  const held = channelsHeld(sources.settings().policy, here.actor);
  const entered = await Promise.all(
    held.slice(0, maxChannels).map(async (id): Promise<readonly HomeChannel[]> => {
      // While Slack does not say who is in the channel, the tab leads there.
      const context = await sources.contextFor(here.actor.userId, id).catch(orUnseen);
      return context?.channelId === id ? [{ id, name: await sources.channelMembers.nameOf(id), context }] : [];
    }),
  );
  const channels = entered.flat();
  return { here, channels, elsewhere: held.filter((id) => channels.every((channel) => channel.id !== id)) };
}

function orUnseen(error: unknown): undefined {
  if (!(error instanceof SlackSilentError)) throw error;
}

/** The row at the top: what people do most, and a menu of everything else; then the channels that offer more. */
function offers(sources: Pick<HomeSources, "settings" | "slashCommand">, places: HomePlaces): KnownBlock[] {
  const offer = (command: Command) => offerOf(sources, places, command);
  const keep = offer(exclusionCreate);
  const seek = offer(find);
  const main = [
    ...(keep ? [{ ...keep, label: `Keep something running${where(keep, places)}` }] : []),
    ...(seek ? [{ ...seek, label: `Find…${where(seek, places)}` }] : []),
  ].flatMap((button) => commandButton(button) ?? []);
  const groups = groupsOf(
    catalogue.filter(isInMenu).flatMap((command) => offer(command) ?? []),
    places,
  );
  const more = groups.length > 0 ? [{ ...moreMenu, option_groups: groups }] : [];
  const elements: ActionsBlock["elements"] = [...main, ...more];
  return [...(elements.length > 0 ? [{ type: "actions", elements } as const] : []), ...otherChannels(sources, places)];
}

const moreMenu = { type: "static_select", action_id: `${menuAction}:more`, placeholder: plainText("More…") } as const;

/** " in #ops" for what is offered only there. */
function where({ channelId }: CommandButton, { channels }: HomePlaces): string {
  if (channelId === undefined) return "";
  const name = channels.find(({ id }) => id === channelId)?.name;
  return name === undefined ? " in its channel" : ` in #${name}`;
}

/** The form of a command, or the command itself where it needs nothing: outside any channel, else in the first where it is offered. */
function offerOf(
  { settings }: Pick<HomeSources, "settings">,
  { here, channels }: HomePlaces,
  command: Command,
): CommandButton | undefined {
  const needs = Object.values(command.fields).some((field) => !field.optional);
  const opens = needs || (command.kind === "query" && command.isOnHome) ? "form" : "result";
  const button = { label: command.title, words: command.words, opens, input: {} } as const;
  if (isOffered(settings(), command, here)) return button;
  const channel = channels.find(({ context }) => isOffered(settings(), command, context));
  return channel && { ...button, channelId: channel.id };
}

/** Decisions have buttons beside each change; what has its own button needs no entry. */
const isInMenu = (command: Command): boolean =>
  command.kind !== "decision" &&
  command.kind !== "outcome" &&
  command.words !== exclusionCreate.words &&
  command.words !== find.words;

function groupsOf(offered: readonly CommandButton[], places: HomePlaces) {
  const nouns = [...new Set(offered.map(({ words }) => nounOf(words)))];
  return nouns.flatMap((noun) => {
    const options = offered
      .filter(({ words }) => nounOf(words) === noun)
      .flatMap((button): readonly PlainTextOption[] =>
        menuOption({ ...button, label: `${clip(button.label, limits.buttonText / 2)}${where(button, places)}` }),
      );
    return options.length > 0 ? [{ label: plainText(noun), options }] : [];
  });
}

/** Commands of one word share a group. */
function nounOf(words: string): string {
  const [noun = "", ...verb] = words.split(" ");
  if (verb.length === 0) return "Look up";
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1).replace(/y$/, "ie")}s`;
}

const shownChannels = 5;

function otherChannels({ slashCommand }: Pick<HomeSources, "slashCommand">, { elsewhere }: HomePlaces): KnownBlock[] {
  if (elsewhere.length === 0) return [];
  const named = elsewhere.slice(0, shownChannels).map(channel);
  const rest = elsewhere.length > shownChannels ? " and other channels" : "";
  return [
    contextBlock(
      md`Some of your rights hold only in ${join(named, ", ")}${rest}. Type ${code(`${slashCommand} help`)} there to see them.`,
    ),
  ];
}

interface Source {
  readonly query: QueryCommand;
  readonly input: Input;
  /** The same in every channel. */
  readonly isAnywhere?: true;
}

/** One part of the Home tab: the answers to queries under one heading, each thing on one line with at most one button. */
interface Section {
  readonly title: string;
  readonly sources: readonly Source[];
  /** The most things to show. */
  readonly shown: number;
  readonly whenEmpty: string;
  readonly whenUnread: string;
  /** Those to be shown of what the queries answer; all without it. */
  readonly pick?: (lines: readonly Line[]) => readonly Line[];
}

/** In their order. */
const sections: readonly Section[] = [
  {
    title: "Waiting for you",
    sources: [{ query: approvalList, input: { whose: "for-me", isBrief: true }, isAnywhere: true }],
    shown: 5,
    whenEmpty: "Nothing waits for your approval.",
    whenUnread: "Curfew could not load what is waiting for you.",
  },
  {
    title: "Yours",
    sources: [
      { query: approvalList, input: { whose: "mine" }, isAnywhere: true },
      { query: exclusionList, input: { which: "mine" } },
    ],
    shown: 5,
    whenEmpty: "You keep nothing running.",
    whenUnread: "Curfew could not load what you keep.",
  },
  {
    title: "Stops next",
    sources: [{ query: next, input: { only: "stops" } }],
    shown: 3,
    whenEmpty: "Nothing stops in the next 24 hours that you could keep running.",
    whenUnread: "Curfew could not load the next runs.",
    pick: stopsToPrevent,
  },
];

/** What stops that its reader may keep running: by one press where a group names the machines, else by the form. */
function stopsToPrevent(lines: readonly Line[]): readonly Line[] {
  const stops = lines.flatMap((line): readonly Line[] => {
    const button = line.button ?? line.menu.find(({ words }) => words === exclusionCreate.words);
    return button ? [{ ...line, button, parts: line.parts.slice(0, 2) }] : [];
  });
  const ofGroups = stops.filter(({ button }) => button?.opens === "result");
  return ofGroups.length > 0 ? ofGroups : stops;
}

/** The team's things and the past, each behind a button. */
const views: readonly { readonly label: string; readonly query: QueryCommand; readonly input: Input }[] = [
  { label: "The team's", query: exclusionList, input: { which: "others" } },
  { label: "Next 24 hours", query: next, input: {} },
  { label: "Lately", query: history, input: {} },
];

function viewButtons(sources: Pick<HomeSources, "settings">, places: HomePlaces): KnownBlock[] {
  return buttonRow(
    views.flatMap(({ label, query, input }) => {
      const offer = offerOf(sources, places, query);
      return offer ? [{ ...offer, label: `${label}${where(offer, places)}`, opens: "result", input } as const] : [];
    }),
  );
}

/** How long the tab waits for each of its lists. */
const waitMs = 3000;

interface Found {
  readonly lines: readonly Line[];
  /** How many there are in all. */
  readonly count: number;
}

interface DrawnSection {
  readonly blocks: readonly KnownBlock[];
  /** What is said of it where it is empty. */
  readonly empty?: string;
}

/** Nothing where its reader may see nothing of it. */
async function drawSection(sources: HomeSources, part: Section, places: HomePlaces): Promise<DrawnSection> {
  const { title, shown, whenEmpty, whenUnread, pick } = part;
  const read = await Promise.all(part.sources.map((source) => readSource(sources, source, title, places)));
  const offered = read.filter((found) => found !== "not offered");
  if (offered.length === 0) return { blocks: [] };
  const found = offered.flatMap((each) => (each === "unread" ? [] : [each]));
  if (found.length < offered.length)
    return { blocks: [contextBlock(md`${bold(title)} · :warning: ${literal(whenUnread)}`)] };
  const all = found.flatMap(({ lines }) => lines);
  const lines = (pick?.(all) ?? all).slice(0, shown).map(inShort);
  if (lines.length === 0) return { blocks: [], empty: whenEmpty };
  const count = found.reduce((sum, each) => sum + each.count, 0);
  const left = pick || count === lines.length ? md`` : md` · ${lines.length} of ${count}`;
  const drawn = lines.map((each) => lineBlock(each, places.here.actor.timeZone));
  return { blocks: [contextBlock(md`${bold(title)}${channelsIn(lines)}${left}`), ...drawn] };
}

/** The channels in whose name the things are handled: " · in #ops". */
function channelsIn(lines: readonly Line[]): Mrkdwn {
  const ids = new Set(lines.flatMap(buttonsOf).flatMap(({ channelId }) => channelId ?? []));
  return ids.size > 0 ? md` · in ${join([...ids].map(channel), ", ")}` : "";
}

const buttonsOf = ({ menu, button }: Line): readonly CommandButton[] => [...menu, ...(button ? [button] : [])];

const shownParts = 3;

/** Here things are known by their names, and what is one's own need not say so. */
const inShort = (line: Line): Line => ({
  ...line,
  parts: line.parts.filter((part) => part !== line.id && part !== "you").slice(0, shownParts),
});

/** What the query answers outside any channel, and what it answers in each channel beyond that. */
async function readSource(
  sources: HomeSources,
  source: Source,
  title: string,
  { here, channels }: HomePlaces,
): Promise<Found | "not offered" | "unread"> {
  const contexts = [here, ...(source.isAnywhere ? [] : channels.map(({ context }) => context))];
  const read = await Promise.all(contexts.map((context) => readIn(sources, source, title, context)));
  if (read.every((each) => each === "not offered")) return "not offered";
  if (read.some((each) => each === "unread")) return "unread";
  const found = read.flatMap((each, index) => (typeof each === "string" ? [] : [inChannel(each, contexts[index])]));
  return found.reduce(together);
}

async function readIn(
  { settings, queries, log }: HomeSources,
  { query, input }: Source,
  title: string,
  context: CommandContext,
): Promise<Found | "not offered" | "unread"> {
  // A tab has many lists: others may run between them.
  await giveWay();
  if (!isOffered(settings(), query, context)) return "not offered";
  const running = queries.run(query, input, context).catch((error: unknown) => {
    log.warn({ err: error, title }, "could not load a list of a Home tab");
    return undefined;
  });
  const outcome = await within(waitMs, running);
  if (outcome?.kind === "refused") return "not offered";
  if (outcome?.kind !== "answered") return "unread";
  const { items, count = items.length } = outcome.answer;
  return { lines: items.filter(isLine), count };
}

/** What is pressed there is asked in the name of the channel. */
function inChannel({ lines, count }: Found, context: CommandContext | undefined): Found {
  const channelId = context?.channelId;
  if (!channelId) return { lines, count };
  const there = (button: CommandButton): CommandButton => ({ ...button, channelId });
  return {
    count,
    lines: lines.map(({ menu, button, ...line }) => ({
      ...line,
      menu: menu.map(there),
      button: button && there(button),
    })),
  };
}

/** Each thing once, with all that can be done to it anywhere. A channel shows all that is shown outside it, so its order counts. */
function together(one: Found, other: Found): Found {
  const known = new Map(one.lines.map((line) => [line.id, line] as const));
  const lines = other.lines.map((line) => {
    const same = known.get(line.id);
    known.delete(line.id);
    return same ? withMore(same, line) : line;
  });
  return { lines: [...lines, ...known.values()], count: Math.max(one.count, other.count) };
}

function withMore(line: Line, other: Line): Line {
  const isNew = ({ label }: CommandButton) => line.menu.every((button) => button.label !== label);
  return { ...line, menu: [...line.menu, ...other.menu.filter(isNew)], button: line.button ?? other.button };
}
