import type { KnownBlock } from "@slack/types";
import { isOffered } from "../../changes/queries/queries.ts";
import { approvalList } from "../../commands/about-changes/approval.ts";
import { history, undo } from "../../commands/about-changes/history.ts";
import { type CommandButton, type Item, isLine, type Line } from "../../commands/answer.ts";
import type { CommandContext, QueryCommand } from "../../commands/command.ts";
import { exclusionCreate, exclusionList } from "../../commands/exclusion/exclusion.ts";
import type { Input } from "../../commands/field.ts";
import { next } from "../../commands/lookup/next.ts";
import { within } from "../../time/within.ts";
import { itemBlocks } from "../messages/answer-message.ts";
import { bold, channel, contextBlock, join, literal, type Mrkdwn, md, mrkdwn } from "../messages/message.ts";
import type { HomePlaces, HomeSources } from "./offers.ts";

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
export const sections: readonly Section[] = [
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
    whenEmpty: "You have no exclusions in force.",
    whenUnread: "Curfew could not load your exclusions.",
  },
  {
    title: "The team's",
    sources: [{ query: exclusionList, input: { which: "others" } }],
    shown: 10,
    whenEmpty: "Curfew knows of no other exclusions in force.",
    whenUnread: "Curfew could not load the team's exclusions.",
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
export async function drawSection(sources: HomeSources, section: Section, places: HomePlaces): Promise<KnownBlock[]> {
  const { title, shown, whenEmpty, whenUnread, wants } = section;
  const grey = (text: Mrkdwn): KnownBlock[] => [contextBlock(md`${bold(title)} · ${text}`)];
  const read = await Promise.all(section.sources.map((source) => readSource(sources, source, title, places)));
  const offered = read.filter((found) => found !== "not offered");
  if (offered.length === 0) return [];
  const found = offered.flatMap((each) => (each === "unread" ? [] : [each]));
  if (found.length < offered.length) return grey(md`:warning: ${literal(whenUnread)}`);
  const items = found.flatMap((each) => each.items).slice(0, shown);
  if (items.length === 0) return grey(literal(whenEmpty));
  const left = found.reduce((sum, { count }) => sum + count, 0) - items.length;
  const drawn = items.map((item) => withoutId(withButton(item, wants)));
  return [
    { type: "section", text: mrkdwn(md`${bold(title)}${channelsIn(drawn)}`) },
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
