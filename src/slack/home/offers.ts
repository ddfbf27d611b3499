import type { KnownBlock } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { ChangeSettings } from "../../changes/ports.ts";
import type { Queries } from "../../changes/queries/queries.ts";
import { isOffered } from "../../changes/queries/queries.ts";
import type { CommandButton } from "../../commands/answer.ts";
import { catalogue } from "../../commands/catalogue.ts";
import type { Command, CommandContext } from "../../commands/command.ts";
import type { Logger } from "../../observability/log.ts";
import { channelsHeld } from "../../permissions/roles-held.ts";
import { buttonRow } from "../messages/button.ts";
import { mrkdwn } from "../messages/message.ts";

/** Everything that a Home tab is drawn from. */
export interface HomeSources {
  readonly client: Pick<WebClient, "views">;
  readonly settings: () => ChangeSettings;
  readonly queries: Queries;
  readonly slashCommand: string;
  readonly log: Logger;
  /** The person as a requester outside any channel. Throws when Slack cannot say who they are. */
  readonly contextFor: (userId: string) => Promise<CommandContext>;
}

const shownChannels = 5;

type OfferSources = Pick<HomeSources, "settings" | "slashCommand">;

/** Buttons for the forms that this person may use outside any channel, a row for each noun; then the channels that offer more. */
export function offers(sources: OfferSources, context: CommandContext): KnownBlock[] {
  const offered = catalogue.filter((command) => hasForm(command) && isOffered(sources.settings(), command, context));
  const rows = nounsOf(offered).flatMap((noun) => buttonRow(offered.filter(isAbout(noun)).map(formButton)));
  const elsewhere = otherChannels(sources, context);
  const heading = rows.length > 0 ? [line("*What you may do*")] : [];
  return [...heading, ...rows, ...elsewhere];
}

/** Only commands with a required field get a form, and those that ask for one. Undo and decisions have buttons beside each change. */
function hasForm(command: Command): boolean {
  if (command.kind === "undo" || command.kind === "decision") return false;
  const isOnHome = command.kind === "query" && command.isOnHome === true;
  return isOnHome || Object.values(command.fields).some((field) => !field.optional);
}

/** Commands of one word share a row. */
const nounOf = ({ words }: Command): string => (words.includes(" ") ? (words.split(" ")[0] ?? words) : "");
const isAbout = (noun: string) => (command: Command) => nounOf(command) === noun;

function nounsOf(commands: readonly Command[]): readonly string[] {
  return [...new Set(commands.map(nounOf))];
}

function formButton({ title, words }: Command): CommandButton {
  return { label: title, words, opens: "form", input: {} };
}

/** The channels where more is offered than here. */
function otherChannels({ settings, slashCommand }: OfferSources, context: CommandContext): KnownBlock[] {
  const here = new Set(catalogue.filter((command) => isOffered(settings(), command, context)));
  const channels = channelsHeld(settings().policy, context.actor).filter((channelId) =>
    catalogue.some((command) => !here.has(command) && isOffered(settings(), command, { ...context, channelId })),
  );
  if (channels.length === 0) return [];
  const named = channels.slice(0, shownChannels).map((id) => `<#${id}>`);
  const rest = channels.length > shownChannels ? " and other channels" : "";
  return [
    line(
      `Some of your rights hold only in ${named.join(", ")}${rest}. Type \`${slashCommand} help\` there to see them.`,
    ),
  ];
}

function line(text: string): KnownBlock {
  return { type: "section", text: mrkdwn(text) };
}
