import type { ActionsBlock, KnownBlock, PlainTextOption } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { ChangeSettings } from "../../changes/ports.ts";
import { isOffered, type Queries } from "../../changes/queries/queries.ts";
import type { CommandButton } from "../../commands/answer.ts";
import { catalogue } from "../../commands/catalogue.ts";
import type { Command, CommandContext } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import { find } from "../../commands/lookup/find.ts";
import type { Logger } from "../../observability/log.ts";
import { channelsHeld } from "../../permissions/policy.ts";
import { plainText } from "../fields/field-kind.ts";
import { commandButton, menuAction, menuOption } from "../messages/button.ts";
import { channel, clip, code, contextBlock, join, limits, md } from "../messages/message.ts";
import type { ChannelMembers } from "../people/channel-members.ts";
import { SlackSilentError } from "../people/look-up.ts";

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
export interface HomePlaces {
  readonly here: CommandContext;
  readonly channels: readonly HomeChannel[];
  /** Channels that would give them more. */
  readonly elsewhere: readonly string[];
}

export interface HomeChannel {
  readonly id: string;
  readonly name: string | undefined;
  readonly context: CommandContext;
}

/** Each channel costs a set of queries. */
const maxChannels = 3;

export async function placesOf(sources: HomeSources, here: CommandContext): Promise<HomePlaces> {
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
export function offers(sources: Pick<HomeSources, "settings" | "slashCommand">, places: HomePlaces): KnownBlock[] {
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
export function where({ channelId }: CommandButton, { channels }: HomePlaces): string {
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
