import type { WebClient } from "@slack/web-api";
import type { Changes } from "../changes/changes.ts";
import type { ChangeSettings } from "../changes/ports.ts";
import { isOffered, type Queries, refusalOf } from "../changes/queries.ts";
import { catalogue } from "../commands/catalogue.ts";
import type { Command, CommandContext } from "../commands/command.ts";
import type { Input } from "../commands/field.ts";
import type { Known } from "../commands/known.ts";
import type { Logger } from "../log.ts";
import type { Actors } from "./actors.ts";
import type { Message } from "./blocks/message.ts";
import { outcomeMessage, refusalMessage } from "./blocks/outcome-message.ts";
import type { ReadingContext } from "./fields/field-kind.ts";
import type { FloodGuard } from "./flood-guard.ts";
import { createReply, type Reply } from "./reply.ts";

/** What every listener works with. */
export interface Desk {
  readonly client: WebClient;
  readonly actors: Actors;
  readonly changes: Changes;
  readonly queries: Queries;
  readonly known: Known;
  readonly settings: () => ChangeSettings;
  /** Queues a direct message about how a change ended. */
  readonly tellLater: (changeId: string, userId: string) => Promise<void>;
  readonly floodGuard: FloodGuard;
  readonly slashCommand: string;
  readonly now: () => number;
  readonly fetch: typeof fetch;
  readonly log: Logger;
}

/** Where a request came from and where its answer goes. */
export interface Origin {
  readonly userId: string;
  readonly channelId: string | null;
  readonly responseUrl: string | undefined;
}

/** Who asks and what may be looked at for them. Throws when Slack cannot say who they are. */
export async function contextFor(desk: Desk, { userId, channelId }: Origin): Promise<ReadingContext> {
  const actor = await desk.actors.actor(userId);
  const { known, settings, actors, now } = desk;
  return { actor, channelId, known, settings: settings(), now: now(), emailOf: (id) => actors.emailOf(id) };
}

export function offeredCommands(desk: Desk, context: CommandContext): readonly Command[] {
  return catalogue.filter((command) => isOffered(desk.settings(), command, context));
}

/** The refusal for a command that is not offered here; undefined for one that is. */
export function refusalFor(desk: Desk, command: Command, context: CommandContext): Message | undefined {
  if (isOffered(desk.settings(), command, context)) return undefined;
  return refusalMessage(refusalOf(desk.settings(), command, context));
}

/** What came of a command, for its asker. */
export interface Told {
  readonly message: Message;
  /** The change it is about, so that it can be told later when Slack takes no answer now. */
  readonly changeId: string | undefined;
}

/** Runs a command whose input is complete and puts its outcome in words. Every command, from wherever it came, runs here. */
export async function runCommand(
  desk: Desk,
  command: Command,
  input: Input,
  context: CommandContext,
  deliveryKey: string,
): Promise<Told> {
  const startedAt = desk.now();
  const outcome =
    command.kind === "change"
      ? await desk.changes.run({ command, input, context, deliveryKey })
      : await desk.queries.run(command, input, context);
  const change = "change" in outcome ? outcome.change : undefined;
  desk.log.info(
    {
      command: command.words,
      actorId: context.actor.userId,
      outcome: outcome.kind,
      ...(change ? { changeId: change.id, state: change.state } : {}),
      ...(outcome.kind === "refused" ? { rule: outcome.decision.rule } : {}),
      ms: desk.now() - startedAt,
    },
    "command",
  );
  return { message: outcomeMessage(outcome, context.actor.timeZone), changeId: change?.id };
}

/** Gives the asker the answer; one about a change that Slack takes in no way now is queued, so that it is not lost. */
export async function answer(
  desk: Desk,
  origin: Origin,
  { message, changeId }: Told,
  isReplacing = false,
): Promise<void> {
  const reply = replyTo(desk, origin);
  const isTold = await (isReplacing ? reply.replace(message) : reply.tell(message));
  if (!isTold && changeId !== undefined) await desk.tellLater(changeId, origin.userId);
}

export function replyTo({ client, fetch, log }: Desk, { userId, responseUrl }: Origin): Reply {
  return createReply({ client, userId, responseUrl, fetch, log });
}
