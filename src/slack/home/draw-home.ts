import type { ActionsBlock, HomeView, KnownBlock, PlainTextOption } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { ChangeSettings } from "../../changes/ports.ts";
import { isOffered, type Queries, refusalOf } from "../../changes/queries/queries.ts";
import { approvalList } from "../../commands/about-changes/approval.ts";
import { history, undo } from "../../commands/about-changes/history.ts";
import { type CommandButton, type Item, isLine, type Line } from "../../commands/answer.ts";
import { catalogue } from "../../commands/catalogue.ts";
import type { Command, CommandContext, QueryCommand } from "../../commands/command.ts";
import { exclusionCreate, exclusionList } from "../../commands/exclusion/exclusion.ts";
import type { Input } from "../../commands/field.ts";
import { find } from "../../commands/lookup/find.ts";
import { next } from "../../commands/lookup/next.ts";
import type { Logger } from "../../observability/log.ts";
import { channelsHeld, rolesHeld } from "../../permissions/policy.ts";
import { within } from "../../time/within.ts";
import { plainText } from "../fields/field-kind.ts";
import { itemBlocks } from "../messages/answer-message.ts";
import { commandButton, menuAction, menuOption } from "../messages/button.ts";
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

/** One person's Home tab: what waits for them, what is excluded, what runs, and what was changed lately. */
export async function drawHome(sources: HomeSources, userId: string): Promise<HomeView> {
  const here = await sources.contextFor(userId, null);
  const refusal = refusalReason(sources, here);
  if (refusal) return view([line(":no_entry:", refusal)]);
  const places = await placesOf(sources, here);
  const lists = await Promise.all(sections.map((each) => drawSection(sources, each, places)));
  const asOf = md`As of ${date(here.now, here.actor.timeZone)}. Open this tab again to refresh it.`;
  return view([...offers(sources, places), ...lists.flat(), contextBlock(asOf)]);
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

/** One part of the Home tab: the answers to queries under one heading. */
interface Section {
  readonly title: string;
  readonly sources: readonly Source[];
  /** The most things to show. */
  readonly shown: number;
  readonly whenEmpty: string;
  readonly whenUnread: string;
  /** The command that people mostly want there: its button is shown in place of the menu. */
  readonly wants?: string;
}

/** In their order. Together they stay far below the 100 blocks of a view. */
const sections: readonly Section[] = [
  {
    title: "Waiting for you",
    sources: [{ query: approvalList, input: { whose: "for-me" }, isAnywhere: true }],
    shown: 8,
    whenEmpty: "Nothing waits for your approval.",
    whenUnread: "Curfew could not load what is waiting for you.",
  },
  {
    title: "Yours",
    sources: [
      { query: approvalList, input: { whose: "mine" }, isAnywhere: true },
      { query: exclusionList, input: { which: "mine" } },
    ],
    shown: 10,
    whenEmpty: "You keep nothing running.",
    whenUnread: "Curfew could not load what you keep.",
  },
  {
    title: "The team's",
    sources: [{ query: exclusionList, input: { which: "others" } }],
    shown: 10,
    whenEmpty: "Nobody else keeps anything.",
    whenUnread: "Curfew could not load what the team keeps.",
  },
  {
    title: "Next 24 hours",
    sources: [{ query: next, input: {} }],
    shown: 8,
    whenEmpty: "Nothing that you may see runs.",
    whenUnread: "Curfew could not load the next runs.",
    wants: exclusionCreate.words,
  },
  {
    title: "Lately",
    sources: [{ query: history, input: {} }],
    shown: 5,
    whenEmpty: "Nothing was changed yet.",
    whenUnread: "Curfew could not load the latest changes.",
    wants: undo.words,
  },
];

/** How long the tab waits for one list. */
const waitMs = 3000;

interface Found {
  readonly items: readonly (Item | Line)[];
  /** How many there are in all. */
  readonly count: number;
}

/** Nothing where its reader may see nothing of it; one grey line where there is nothing. */
async function drawSection(sources: HomeSources, part: Section, places: HomePlaces): Promise<KnownBlock[]> {
  const { title, shown, whenEmpty, whenUnread, wants } = part;
  const grey = (text: Mrkdwn): KnownBlock[] => [contextBlock(md`${bold(title)} · ${text}`)];
  const read = await Promise.all(part.sources.map((source) => readSource(sources, source, title, places)));
  const offered = read.filter((found) => found !== "not offered");
  if (offered.length === 0) return [];
  const found = offered.flatMap((each) => (each === "unread" ? [] : [each]));
  if (found.length < offered.length) return grey(md`:warning: ${literal(whenUnread)}`);
  const items = found.flatMap((each) => each.items).slice(0, shown);
  if (items.length === 0) return grey(literal(whenEmpty));
  const left = found.reduce((sum, { count }) => sum + count, 0) - items.length;
  const drawn = items.map((item) => withoutId(withButton(item, wants)));
  return [
    section(md`${bold(title)}${channelsIn(drawn)}`),
    ...drawn.flatMap((item) => itemBlocks(item, places.here.actor.timeZone)),
    ...(left > 0 ? [contextBlock(md`… and ${left} more.`)] : []),
  ];
}

/** The channels in whose name the things are handled: " · in #ops". */
function channelsIn(items: readonly (Item | Line)[]): Mrkdwn {
  const ids = new Set(items.flatMap(buttonsOf).flatMap(({ channelId }) => channelId ?? []));
  return ids.size > 0 ? md` · in ${join([...ids].map(channel), ", ")}` : "";
}

function buttonsOf(item: Item | Line): readonly CommandButton[] {
  return isLine(item) ? [...item.menu, ...(item.button ? [item.button] : [])] : (item.buttons ?? []);
}

/** Here things are known by their names. */
function withoutId(item: Item | Line): Item | Line {
  return isLine(item) ? { ...item, parts: item.parts.filter((part) => part !== item.id) } : item;
}

function withButton(item: Item | Line, wants: string | undefined): Item | Line {
  if (!isLine(item) || item.button) return item;
  const button = item.menu.find(({ words }) => words === wants);
  return button ? { ...item, button } : item;
}

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
  if (!isOffered(settings(), query, context)) return "not offered";
  const running = queries.run(query, input, context).catch((error: unknown) => {
    log.warn({ err: error, title }, "could not load a list of a Home tab");
    return undefined;
  });
  const outcome = await within(waitMs, running);
  if (outcome?.kind === "refused") return "not offered";
  if (outcome?.kind !== "answered") return "unread";
  const { items, count = items.length } = outcome.answer;
  return { items, count };
}

/** What is pressed there is asked in the name of the channel. */
function inChannel({ items, count }: Found, context: CommandContext | undefined): Found {
  const channelId = context?.channelId;
  if (!channelId) return { items, count };
  const there = (button: CommandButton): CommandButton => ({ ...button, channelId });
  return {
    count,
    items: items.map((item) =>
      isLine(item)
        ? { ...item, menu: item.menu.map(there), ...(item.button ? { button: there(item.button) } : {}) }
        : { ...item, ...(item.buttons ? { buttons: item.buttons.map(there) } : {}) },
    ),
  };
}

/** Each thing once, with all that can be done to it anywhere. A channel shows all that is shown outside it, so its order counts. */
function together(one: Found, other: Found): Found {
  const known = new Map(one.items.map((item) => [keyOf(item), item] as const));
  const items = other.items.map((item) => {
    const same = known.get(keyOf(item));
    known.delete(keyOf(item));
    return same ? withMore(same, item) : item;
  });
  return { items: [...items, ...known.values()], count: Math.max(one.count, other.count) };
}

const keyOf = (item: Item | Line): string => (isLine(item) ? item.id : item.title);

function withMore(item: Item | Line, other: Item | Line): Item | Line {
  if (!isLine(item) || !isLine(other)) return item;
  const isNew = ({ label }: CommandButton) => item.menu.every((button) => button.label !== label);
  const button = item.button ?? other.button;
  return { ...item, menu: [...item.menu, ...other.menu.filter(isNew)], ...(button ? { button } : {}) };
}
