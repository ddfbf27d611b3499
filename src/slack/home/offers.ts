import type { KnownBlock } from "@slack/types";
import type { CommandButton } from "../../commands/answer.ts";
import { catalogue } from "../../commands/catalogue.ts";
import type { Command, CommandContext } from "../../commands/command.ts";
import { channelsHeld } from "../../permissions/roles-held.ts";
import { type Desk, isCommandOffered } from "../listeners/desk.ts";
import { buttonRow } from "../messages/button.ts";
import { mrkdwn } from "../messages/message.ts";

const shownChannels = 5;

/** Buttons that open the forms of what may be done outside any channel, a row for each noun; and where more may be done. */
export function offers(desk: Desk, context: CommandContext): KnownBlock[] {
  const offered = catalogue.filter((command) => hasForm(command) && isCommandOffered(desk, command, context));
  const rows = nounsOf(offered).flatMap((noun) => buttonRow(offered.filter(isAbout(noun)).map(formButton)));
  const elsewhere = whereElse(desk, context);
  const heading = rows.length > 0 ? [line("*What you may do*")] : [];
  return [...heading, ...rows, ...elsewhere];
}

/** A form is worth opening where something must be said; taking back and deciding are offered beside each change. */
function hasForm(command: Command): boolean {
  return (
    command.kind !== "undo" &&
    command.kind !== "decision" &&
    Object.values(command.fields).some((field) => !field.optional)
  );
}

const nounOf = ({ words }: Command): string => words.split(" ")[0] ?? words;
const isAbout = (noun: string) => (command: Command) => nounOf(command) === noun;

function nounsOf(commands: readonly Command[]): readonly string[] {
  return [...new Set(commands.map(nounOf))];
}

function formButton({ title, words }: Command): CommandButton {
  return { label: title, words, opens: "form", input: {} };
}

/** The channels where more is offered than here. */
function whereElse(desk: Desk, context: CommandContext): KnownBlock[] {
  const here = new Set(catalogue.filter((command) => isCommandOffered(desk, command, context)));
  const channels = channelsHeld(desk.settings().policy, context.actor).filter((channelId) =>
    catalogue.some((command) => !here.has(command) && isCommandOffered(desk, command, { ...context, channelId })),
  );
  if (channels.length === 0) return [];
  const named = channels.slice(0, shownChannels).map((id) => `<#${id}>`);
  const rest = channels.length > shownChannels ? " and other channels" : "";
  return [
    line(
      `Some of your rights hold only in ${named.join(", ")}${rest}, so they are not offered here: type \`${desk.slashCommand} help\` there.`,
    ),
  ];
}

function line(text: string): KnownBlock {
  return { type: "section", text: mrkdwn(text) };
}
