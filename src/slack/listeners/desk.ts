import type { WebClient } from "@slack/web-api";
import type { Approvals } from "../../changes/approvals/approvals.ts";
import { type Change, isOver, stateWords } from "../../changes/change.ts";
import type { Ask, Changes } from "../../changes/changes.ts";
import type { ConfigRequests } from "../../changes/config-requests.ts";
import { refusedForThing } from "../../changes/decide-change.ts";
import type { ChangeSettings, GroupStore } from "../../changes/ports.ts";
import { isOffered, type Queries, refusalOf, rightsOf } from "../../changes/queries/queries.ts";
import { catalogue } from "../../commands/catalogue.ts";
import type { Command, CommandContext, FillContext } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import type { PlacedDirectory } from "../../directory/directory.ts";
import { type ReadService, readFor } from "../../directory/read-service.ts";
import type { Logger } from "../../observability/log.ts";
import { type RecordDeadline, RecordTooLateError } from "../../time/record-deadline.ts";
import type { Schedule } from "../../time/timer.ts";
import { within } from "../../time/within.ts";
import type { SlackFetch } from "../connection/slack-http.ts";
import type { ReadingContext } from "../fields/field-kind.ts";
import { previewSoon } from "../forms/preview.ts";
import type { Homes } from "../home/homes.ts";
import type { CardLink } from "../messages/card-link.ts";
import type { Message } from "../messages/message.ts";
import { withLines } from "../messages/message.ts";
import { noticeMessage, type Outcome, outcomeMessage, refusalMessage } from "../messages/outcome-message.ts";
import type { Actors, Purpose } from "../people/actors.ts";
import type { FloodGuard } from "../people/flood-guard.ts";
import { createResponder, type ProgressNotice, type Responder } from "./responder.ts";

/** What every listener works with. */
export interface Desk {
  readonly client: WebClient;
  readonly actors: Actors;
  readonly changes: Changes;
  readonly approvals: Pick<Approvals, "decide" | "whyNot">;
  readonly configRequests: Pick<ConfigRequests, "decide">;
  readonly queries: Queries;
  readonly directory: PlacedDirectory;
  readonly groups: Pick<GroupStore, "groups">;
  readonly read: ReadService;
  readonly settings: () => ChangeSettings;
  /** Whether somebody could be told how a change ended; where not, they are told by direct message as soon as Slack takes it. */
  readonly noteAnswer: (changeId: string, userId: string, isNotified: boolean) => Promise<void>;
  readonly cardLink: CardLink;
  readonly homes: Homes;
  readonly floodGuard: FloodGuard;
  /** How long the database has kept callers waiting in all. */
  readonly stalledMs: () => number;
  readonly slashCommand: string;
  readonly now: () => number;
  readonly fetch: SlackFetch;
  /** For the word to those who wait. */
  readonly schedule?: Schedule | undefined;
  /** Told of every command when it is over, and of those that are not offered. */
  readonly onCommand?: (words: string, outcome: string, changeId?: string) => void;
  readonly log: Logger;
}

/** Where a request came from and where its answer goes. */
export interface Origin {
  readonly userId: string;
  readonly channelId: string | null;
  readonly responseUrl: string | undefined;
  readonly deadline?: RecordDeadline | undefined;
  readonly progress?: ProgressNotice | undefined;
}

/** Who asks and what may be looked at for them. Throws when Slack cannot say who they are. */
export async function contextFor(
  desk: Desk,
  { userId, channelId, deadline }: Origin,
  purpose: Purpose = "read",
): Promise<DeskContext> {
  const { directory, actors, now, read } = desk;
  const [actor, saved] = await Promise.all([actors.actor(userId, purpose), desk.groups.groups()]);
  const settings = desk.settings();
  const may = rightsOf(settings, actor, channelId);
  return {
    actor,
    channelId,
    directory,
    settings: { ...settings, resourceGroups: visibleGroups(saved, settings.resourceGroups, may) },
    now: now(),
    read: readFor(read, userId),
    may,
    emailOf: (id) => actors.emailOf(id),
    deadline,
  };
}

type Groups = ChangeSettings["resourceGroups"];

/** Those that the requester may read, or exclude by. A group of the config file stands before one saved under the same name. */
function visibleGroups(saved: Groups, ofConfig: Groups, may: FillContext["may"]): Groups {
  const groups = new Map<string, Groups[string]>();
  for (const [name, group] of Object.entries(saved)) groups.set(name.toLowerCase(), { ...group, isSaved: true });
  for (const [name, group] of Object.entries(ofConfig)) groups.set(name.toLowerCase(), group);
  const isVisible = ({ project: projectId, type: resourceType }: Groups[string]) =>
    may("ListActions", { projectId }) ||
    may("CreateActionExclusion", { projectId, resourceType, exclusionLengthMs: 0 });
  return Object.fromEntries([...groups].filter(([, group]) => isVisible(group)));
}

export type DeskContext = ReadingContext & FillContext;

export function isCommandOffered(desk: Desk, command: Command, context: CommandContext): boolean {
  return isOffered(desk.settings(), command, context);
}

export function offeredCommands(desk: Desk, context: CommandContext): readonly Command[] {
  return catalogue.filter((command) => isCommandOffered(desk, command, context));
}

/** The refusal for a command that is not offered here; undefined for one that is. */
export function refusalFor(desk: Desk, command: Command, context: CommandContext): Message | undefined {
  if (isCommandOffered(desk, command, context)) return undefined;
  desk.onCommand?.(command.words, "refused");
  return refusalMessage(refusalOf(desk.settings(), command, context), purposeOf(command));
}

/** As `refusalFor`, but who says something of a change is judged by that change, whether by a line or by a button. */
export async function refusalToSay(
  desk: Desk,
  command: Command,
  input: Input,
  context: CommandContext,
): Promise<Message | undefined> {
  if (command.kind !== "decision" || input.change === undefined) return refusalFor(desk, command, context);
  const whyNot = await desk.approvals.whyNot(command.changeId(input), command.verdict, context.actor);
  if (!whyNot) return undefined;
  desk.onCommand?.(command.words, "refused");
  return refusalMessage(whyNot);
}

/** The refusal of a form that could only end in one, since of this thing the requester may never change it here. */
export async function refusalOfForm(
  { settings, onCommand }: Desk,
  command: Command,
  input: Input,
  context: CommandContext,
): Promise<Message | undefined> {
  if (command.kind !== "change") return undefined;
  const refused = await refusedForThing(settings().policy, command, input, context);
  if (!refused) return undefined;
  onCommand?.(command.words, "refused");
  return refusalMessage(refused);
}

/** What came of a command, for its requester. */
export interface CommandReply {
  readonly message: Message;
  /** The change it is about, so that its requester can be told later when Slack takes no answer now. */
  readonly change: Pick<Change, "id" | "actor" | "state"> | undefined;
}

/** An answer does without the link to its card rather than wait longer for Slack. */
const cardLinkMs = 1500;

/** Runs a command whose input is complete and puts its outcome in words. Every command, from wherever it came, runs here. */
export async function runCommand(
  desk: Desk,
  command: Command,
  input: Input,
  context: DeskContext,
  idempotencyKey: string,
): Promise<CommandReply> {
  const startedAt = desk.now();
  const effect = previewLines(desk, command, input, context);
  const running = runInTime(desk, command, { input, effect, idempotencyKey }, context);
  const [outcome, preview] = await Promise.all([running, effect]);
  const change = "change" in outcome ? outcome.change : undefined;
  desk.onCommand?.(command.words, outcome.kind, change?.id);
  const about = { command: command.words, actorId: context.actor.userId, outcome: outcome.kind };
  desk.log.info({ ...about, ...decisionIn(outcome), ms: desk.now() - startedAt }, "command");
  // A repeat would see what its first delivery did.
  const lines = outcome.kind === "settled" && outcome.change.state === "succeeded" ? preview : [];
  const cardLink =
    outcome.kind === "already-requested" ? await within(cardLinkMs, desk.cardLink(outcome.change)) : undefined;
  return { message: inWords(desk, command, outcome, context, { lines, cardLink }), change };
}

/** What was decided, by which rule, and how long the service took with what came of it: for the log. */
function decisionIn(outcome: Outcome): object {
  if (outcome.kind === "refused") return { decision: "refused", rule: outcome.decision.rule };
  if (!("change" in outcome)) return {};
  const { id: changeId, state, rule, approval, requestedAt, settledAt } = outcome.change;
  if (outcome.kind !== "settled" && outcome.kind !== "asked") return { changeId, state };
  const took = settledAt !== null && approval === null ? { serviceMs: settledAt - requestedAt } : {};
  return { decision: approval ? "needs approval" : "allowed", rule, changeId, state, ...took };
}

/** What was done stays done when it cannot be put into words: then at least that is said. */
function inWords(
  { log }: Desk,
  command: Command,
  outcome: Outcome,
  { actor }: CommandContext,
  { lines, cardLink }: { readonly lines: readonly string[]; readonly cardLink: string | undefined },
): Message {
  try {
    if (outcome.kind === "refused") return refusalMessage(outcome.decision, purposeOf(command));
    return withLines(outcomeMessage(outcome, actor.timeZone, actor.userId, cardLink), lines);
  } catch (error) {
    log.error({ err: error, outcome: outcome.kind }, "an outcome could not be put into words");
    const directory =
      "change" in outcome ? `Change ${outcome.change.id}: ${stateWords[outcome.change.state]}` : "Nothing was changed";
    return noticeMessage(":warning:", `${directory}, but Curfew could not draw its answer. Tell those who run it.`);
  }
}

/** What the command says of its effect; nothing when that cannot be read soon. */
async function previewLines(
  desk: Desk,
  command: Command,
  input: Input,
  context: DeskContext,
): Promise<readonly string[]> {
  if (command.kind !== "change") return [];
  const preview = await previewSoon(command, input, context).catch((error: unknown) => {
    desk.log.warn({ err: error, command: command.words }, "what a command would do could not be foreseen");
    return undefined;
  });
  return preview?.lines ?? [];
}

/** What changes something is recorded in time, or not done: then throws a RecordTooLateError. */
async function runInTime(...asked: Parameters<typeof run>): Promise<Outcome> {
  const [desk, command, , { deadline }] = asked;
  if (deadline === undefined) return run(...asked);
  if (purposeOf(command) === "read") {
    deadline.meet();
    return run(...asked);
  }
  try {
    return await deadline.orMiss(() => run(...asked));
  } catch (error) {
    if (error instanceof RecordTooLateError) desk.onCommand?.(command.words, "too-late");
    throw error;
  }
}

async function run(
  desk: Desk,
  command: Command,
  { input, ...asked }: Pick<Ask, "input" | "idempotencyKey" | "effect">,
  given: CommandContext,
): Promise<Outcome> {
  const actor = await desk.actors.actor(given.actor.userId, purposeOf(command));
  const context = { ...given, actor };
  switch (command.kind) {
    case "query":
      return desk.queries.run(command, input, context);
    case "change":
      return desk.changes.run({ command, input, context, ...asked });
    case "undo": {
      const plan = await desk.changes.planUndo(command.changeId(input), actor.userId);
      return "problem" in plan ? { kind: "invalid", problem: plan } : desk.changes.run({ ...plan, context, ...asked });
    }
    case "decision":
      return desk.approvals.decide(command.changeId(input), command.ruling(input), actor, given.deadline);
  }
}

/** What a command rests on. Some queries keep something of Curfew's own: they take the right of the change that it is for. */
export function purposeOf(command: Command): Purpose {
  return command.kind === "query" && command.offeredFor === undefined ? "read" : "change";
}

/**
 * Gives the requester the answer; one about their change that Slack takes in no way now is queued, so that it is not lost. After a change
 * the Home tabs follow, without anybody waiting for that.
 */
export async function answer(
  desk: Desk,
  origin: Origin,
  { message, change }: CommandReply,
  isReplacing = false,
): Promise<void> {
  const responder = responderFor(desk, origin);
  const isNotified = await (isReplacing ? responder.replace(message) : responder.send(message));
  if (change === undefined) return;
  desk.homes.refresh(origin.userId);
  // Who was told that it waits is still to be told how it ends.
  if (change.actor.userId !== origin.userId || (isNotified && !isOver(change.state))) return;
  await desk.noteAnswer(change.id, origin.userId, isNotified).catch((error: unknown) => {
    const about = { err: error, changeId: change.id, isNotified };
    desk.log.error(about, "whether a requester was answered could not be noted; history has it");
  });
}

export function responderFor({ client, fetch, log }: Desk, { userId, responseUrl, progress }: Origin): Responder {
  return createResponder({ client, userId, responseUrl, progress, fetch, log });
}
