import { announcementChannels } from "../../changes/announce.ts";
import type { Approvals } from "../../changes/approvals/decide-approval.ts";
import type { OnRefused } from "../../changes/audit.ts";
import { decideChange, rightsOf } from "../../changes/authorize/decide-change.ts";
import { type Change, isServiceChange, stateWords } from "../../changes/change.ts";
import type { Changes } from "../../changes/changes.ts";
import type { UnknownOutcomes } from "../../changes/outcomes/unknown-outcomes.ts";
import type { Again } from "../../changes/planned/replace-plan.ts";
import type { Ask, ChangeSettings } from "../../changes/ports.ts";
import { isOffered, type Queries } from "../../changes/queries/queries.ts";
import { requestsSaid } from "../../commands/about-changes/history.ts";
import { type CommandButton, isProblem, type Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { ChangeCommand, Command, CommandContext, Inverse, Preview } from "../../commands/command.ts";
import { meantForPlan } from "../../commands/exclusion/planned/about-plan.ts";
import { type Input, ticketOf } from "../../commands/field.ts";
import type { Logger } from "../../observability/log.ts";
import { logWithReference } from "../../observability/log.ts";
import { isProgram } from "../../permissions/actor.ts";
import { within } from "../../time/within.ts";
import { previewSoon } from "../forms/form.ts";
import { withButtons } from "../messages/button.ts";
import type { CardLink } from "../messages/cards/card-context.ts";
import { asOne, type Message, withLines } from "../messages/message.ts";
import { noticeMessage, problemMessage, refusalMessage } from "../messages/notices.ts";
import { type CardPlace, type Outcome, outcomeMessage } from "../messages/outcome-message.ts";
import type { Actors } from "../people/actors.ts";
import type { ChannelMembers } from "../people/channel-members.ts";
import { freshnessOf, type OnCommand, purposeOf, refusalButtons } from "./access.ts";
import type { ContextOf, RequestContext } from "./request-context.ts";

export interface RunDeps {
  readonly contextOf: ContextOf;
  readonly channelMembers: Pick<ChannelMembers, "nameOf">;
  readonly actors: Pick<Actors, "actor">;
  readonly queries: Queries;
  readonly changes: Pick<Changes, "run" | "planUndo" | "actedOn">;
  readonly approvals: Pick<Approvals, "decide" | "isPlanned" | "planAgain">;
  readonly outcomes: Pick<UnknownOutcomes, "check" | "report" | "retry">;
  readonly cardLink: CardLink;
  readonly settings: () => ChangeSettings;
  readonly now: () => number;
  readonly onCommand?: OnCommand | undefined;
  readonly onRefused?: OnRefused | undefined;
  readonly log: Logger;
}

/** Runs a command whose input is complete and puts its outcome in words. `isAsking`: the requester asks others to allow it. */
export type RunCommand = (
  command: Command,
  input: Input,
  context: RequestContext,
  idempotencyKey: string,
  isAsking?: boolean,
) => Promise<CommandReply>;

export const createRunCommand =
  (deps: RunDeps): RunCommand =>
  async (command, input, context, idempotencyKey, isAsking = false) => {
    const asked = { idempotencyKey, isAsking: isAsking || input.ask === true };
    const meant = await meantBy(command, input, context);
    if (meant && isProblem(meant)) return unmade(deps, command, meant);
    const target = meant ? commandOf(meant.words) : command;
    if (!target || target.kind === "shortcut")
      return unmade(deps, command, { problem: "This shortcut leads nowhere. Nothing was changed." });
    const also = meant?.also;
    const done = await runHere(deps, target, meant?.input ?? input, also ? withoutReceipt(context) : context, asked);
    return also ? withAlso(deps, done, also, context, `${idempotencyKey}#also`) : done;
  };

function unmade({ onCommand }: RunDeps, { words }: Command, problem: Problem): CommandReply {
  onCommand?.(words, "invalid");
  return { message: problemMessage(problem), change: undefined, outcome: { kind: "invalid", problem } };
}

/** Runs a command in the channel where it is allowed, if it was asked for in a direct message. */
async function runHere(
  deps: RunDeps,
  command: RunnableCommand,
  input: Input,
  context: RequestContext,
  asked: Pick<Ask, "idempotencyKey" | "isAsking">,
): Promise<CommandReply> {
  const change = context.actor.inChannels && (await changeMade(deps, command, input, context));
  const acting = change ? await inActingChannel(deps, { words: command.words, input, change }, context) : context;
  if (isProblem(acting)) return unmade(deps, command, acting);
  const reply = await runCommand(deps, command, input, acting, asked);
  if (acting.channelId === null || acting.channelId === context.channelId || !reply.change) return reply;
  const name = await deps.channelMembers.nameOf(acting.channelId);
  return { ...reply, message: withLines(reply.message, [`Asked in the name of #${name ?? acting.channelId}.`]) };
}

/** The change that a command comes to; undefined for one that makes none of its own. */
async function changeMade(
  { approvals, changes }: RunDeps,
  command: RunnableCommand,
  input: Input,
  { actor }: RequestContext,
): Promise<AskedFor["change"] | undefined> {
  if (command.kind === "change") return { command, input };
  const changeId = command.kind === "undo" ? command.changeId(input) : undefined;
  if (changeId === undefined || (await approvals.isPlanned(changeId))) return undefined;
  const again = await approvals.planAgain(changeId);
  const plan = again ? undefined : await changes.planUndo(changeId, actor.userId);
  if (plan && !isProblem(plan)) return plan;
  const planned = again?.kind === "whole" ? commandOf(again.words) : undefined;
  return again?.kind === "whole" && planned?.kind === "change" ? { command: planned, input: again.input } : undefined;
}

/** The last of several changes ends the receipt: after a crash, those that were made already are found, and the others are made. */
export const withoutReceipt = (context: RequestContext): RequestContext => ({
  ...context,
  receiptId: undefined,
  onRecorded: undefined,
});

/** Does the second part of what was asked, unless the first was not done. */
async function withAlso(
  deps: RunDeps,
  first: CommandReply,
  { words, input }: Inverse,
  context: RequestContext,
  idempotencyKey: string,
): Promise<CommandReply> {
  const command = commandOf(words);
  const isDone = ["planned", "settled", "repeated"].includes(first.outcome.kind);
  if (!isDone || !command || command.kind === "shortcut") return first;
  const second = await runCommand(deps, command, input, context, { idempotencyKey, isAsking: false });
  return { ...first, message: asOne([first.message, second.message]), others: [second.change] };
}

/** What a shortcut stands for, or a command about something that is only planned. Undefined for any other. */
async function meantBy(
  command: Command,
  input: Input,
  context: RequestContext,
): Promise<(Inverse & { readonly also?: Inverse }) | Problem | undefined> {
  if (command.kind === "shortcut") return command.leadsTo(input, context);
  const meant = await meantForPlan({ words: command.words, input }, context);
  if (meant === undefined || isProblem(meant) || meant.opens === "result") return meant;
  const { words, input: filled } = meant;
  return {
    problem: "This is only planned. Nothing was changed: edit the plan in its form.",
    buttons: [{ label: "Edit the plan…", words, opens: "form", input: filled }],
  };
}

/** The outcome of a command, for its requester. */
export interface CommandReply {
  readonly message: Message;
  /** The change, so that its requester can be notified later if Slack takes no answer now. */
  readonly change: Pick<Change, "id" | "actor" | "state" | "executionId"> | undefined;
  readonly outcome: Outcome;
  /** The changes beside it, where one line asked for several. */
  readonly others?: readonly CommandReply["change"][];
}

/** An answer goes out without the link to its card if Slack takes longer. */
const cardLinkMs = 1500;

/** Runs a command whose input is complete and puts its outcome in words. Every command from every surface runs here. */
async function runCommand(
  deps: RunDeps,
  command: RunnableCommand,
  input: Input,
  context: RequestContext,
  asked: Pick<Ask, "idempotencyKey" | "isAsking">,
): Promise<CommandReply> {
  const startedAt = deps.now();
  const foreseen = foresee(deps, command, input, { ...context, idempotencyKey: asked.idempotencyKey });
  const effect = async () => {
    const { lines, forOthers = lines } = await foreseen;
    return inZone(forOthers, context.actor.timeZone);
  };
  const outcome = await runByKind(deps, command, { input, effect, ...asked }, context);
  const change = "change" in outcome ? outcome.change : undefined;
  // Its card may be on its way already.
  deps.onCommand?.(command.words, outcome.kind, change?.id);
  const preview = await foreseen;
  const { actor, channelId } = context;
  const about = { command: command.words, actorId: actor.userId, channelId, outcome: outcome.kind };
  deps.log.info({ ...about, ...decisionIn(outcome), ms: deps.now() - startedAt }, "command");
  if (outcome.kind === "refused")
    deps.onRefused?.({ command: command.words, actor: actor.userId, channel: channelId, rule: outcome.decision.rule });
  // A preview for a repeat would describe the state after the first delivery.
  const isDone = outcome.kind === "planned" || (outcome.kind === "settled" && outcome.change.state === "succeeded");
  const expected = isDone ? (preview.answer ?? { effect: [], lines: preview.lines }) : nothingExpected;
  const cardLink =
    outcome.kind === "already-requested" ? await within(cardLinkMs, deps.cardLink(outcome.change)) : undefined;
  const buttons = outcome.kind === "refused" ? await refusalButtons(outcome.decision, command, input, context) : [];
  return {
    message: await inWords(deps, command, outcome, context, { buttons, expected, cardLink }),
    change,
    outcome: doneBy(command, outcome),
  };
}

/** An undo or a decision that does not name its change only shows what could be meant. */
const doneBy = ({ kind, words }: Command, outcome: Outcome): Outcome =>
  kind !== "query" && outcome.kind === "answered"
    ? { kind: "invalid", problem: { problem: `Say the change: “${words} chg-…”. Nothing was changed.` } }
    : outcome;

/** For the log: the decision, its rule, and how long the service took. */
function decisionIn(outcome: Outcome): object {
  if (outcome.kind === "refused") return { decision: "refused", rule: outcome.decision.rule };
  if (!("change" in outcome)) return {};
  const { id: changeId, state, rule, approval, requestedAt, settledAt } = outcome.change;
  if (outcome.kind !== "settled" && outcome.kind !== "asked") return { changeId, state };
  const took = settledAt !== null && approval === null ? { serviceMs: settledAt - requestedAt } : {};
  return { decision: approval ? "needs approval" : "allowed", rule, changeId, state, ...took };
}

interface Said {
  /** The next steps of a refusal. */
  readonly buttons: readonly CommandButton[];
  readonly expected: Expected;
  readonly cardLink: string | undefined;
}

/** If the outcome cannot be rendered, the answer still says the state of the change. */
async function inWords(
  deps: RunDeps,
  command: Command,
  outcome: Outcome,
  context: RequestContext,
  { buttons, expected, cardLink }: Said,
): Promise<Message> {
  const { actor, typed } = context;
  try {
    if (outcome.kind === "refused")
      return refusalMessage(outcome.decision, { purpose: purposeOf(command), buttons, teamId: actor.teamId, typed });
    const { timeZone: zone, userId: requesterId } = actor;
    const card = await cardPlace(deps, outcome, context);
    const said = outcomeMessage(outcome, { zone, requesterId, cardLink, effect: expected.effect, card });
    return withButtons(withLines(said, expected.lines), expected.buttons ?? []);
  } catch (error) {
    const facts = { outcome: outcome.kind };
    const reference = logWithReference(deps.log, error, "an outcome could not be put into words", facts);
    const known =
      "change" in outcome ? `Change ${outcome.change.id}: ${stateWords[outcome.change.state]}` : "Nothing was changed";
    return noticeMessage(
      ":warning:",
      `${known}, but Curfew could not draw its answer. Tell the people who run Curfew: ${reference}.`,
    );
  }
}

/** A form names the zone of its times elsewhere. */
const inZone = (lines: readonly string[], zone: string): readonly string[] =>
  lines.some((line) => /\d\d:\d\d/.test(line)) ? [...lines, `Times are those of ${zone}.`] : lines;

/** Where the card of a change is, or will be; undefined without one. */
async function cardPlace(
  { settings }: RunDeps,
  outcome: Outcome,
  context: RequestContext,
): Promise<CardPlace | undefined> {
  const change = "change" in outcome ? outcome.change : undefined;
  if (!change || !isServiceChange(change) || isProgram(context.actor.userId)) return undefined;
  const own = change.approval && (change.state !== "succeeded" || outcome.kind === "decided");
  const channels = own
    ? [change.approval.channelId]
    : await announcementChannels(change, settings(), context.directory);
  const isHere = !context.fromHome && [...channels].some((id) => id === context.channelId);
  if (isHere) return context.isOneOfSeveral ? undefined : "here";
  const [channelId] = channels;
  return channelId === undefined ? undefined : { channelId };
}

type Expected = NonNullable<Preview["answer"]>;
const nothingExpected: Expected = { effect: [], lines: [] };

/** The preview of the command's effect; empty if it cannot be read in time. */
async function foresee(
  deps: RunDeps,
  command: Command,
  input: Input,
  context: RequestContext,
): Promise<Pick<Preview, "lines" | "forOthers" | "answer">> {
  if (command.kind !== "change") return nothingExpected;
  const preview = await previewSoon(command, input, context).catch((error: unknown) => {
    deps.log.warn({ err: error, command: command.words }, "what a command would do could not be foreseen");
    return undefined;
  });
  return preview ?? nothingExpected;
}

/** A shortcut has become the command that it stands for. */
export type RunnableCommand = Exclude<Command, { readonly kind: "shortcut" }>;

/** Runs a command by its kind, with the rights that its requester has now. */
export async function runByKind(
  deps: RunDeps,
  command: RunnableCommand,
  { input, ...asked }: Pick<Ask, "input" | "idempotencyKey" | "effect" | "isAsking">,
  given: RequestContext,
): Promise<Outcome> {
  const { userId, inChannels } = given.actor;
  const { actor } = inChannels
    ? await deps.contextOf({ userId, channelId: given.channelId }, freshnessOf(command))
    : { actor: await deps.actors.actor(userId, freshnessOf(command)) };
  const context = { ...given, actor };
  switch (command.kind) {
    case "query": {
      // A query that stores something in Curfew runs once, like a change.
      const first = purposeOf(command) === "change" && (await deps.changes.actedOn(asked.idempotencyKey));
      if (first) return { kind: "repeated", change: first };
      return deps.queries.run(command, input, { ...context, idempotencyKey: asked.idempotencyKey });
    }
    case "change": {
      return deps.changes.run({ command, input, context, ...asked });
    }
    case "undo": {
      const changeId = command.changeId(input);
      if (changeId === undefined) return deps.queries.run(command.latest, input, context);
      if (await deps.approvals.isPlanned(changeId))
        return deps.approvals.decide(changeId, { verdict: "withdrawn", note: null }, context);
      const again = await deps.approvals.planAgain(changeId);
      if (again?.kind === "whole" && context.typed !== undefined) return { kind: "invalid", problem: askAgain(again) };
      if (again) return runAgain(deps, again, context, asked);
      const was = typeof input.was === "string" ? input.was : undefined;
      const said = { ticket: ticketOf(input) ?? undefined, was };
      const plan = await deps.changes.planUndo(changeId, actor.userId, said);
      return "problem" in plan ? { kind: "invalid", problem: plan } : deps.changes.run({ ...plan, context, ...asked });
    }
    case "decision": {
      const changeId = command.changeId(input);
      if (changeId === undefined) return deps.queries.run(requestsSaid(command.verdict), input, context);
      return deps.approvals.decide(changeId, command.ruling(input), context);
    }
    case "outcome": {
      if (command.isRetry) return deps.outcomes.retry(command.changeId(input), context);
      const [changeId, seen] = [command.changeId(input), command.seen(input)];
      return seen ? deps.outcomes.report(changeId, seen, context) : deps.outcomes.check(changeId, context);
    }
  }
}

/** The same line may have withdrawn it, so a line alone does not plan it again. */
const askAgain = ({ words, input }: Inverse): Problem => ({
  problem: "It was withdrawn before. Nothing was changed now. Do you want to plan it again?",
  buttons: [{ label: "Plan it again", words, opens: "result", input }],
});

/** Plans again what was withdrawn: as a new request, with the rights of who asks. */
async function runAgain(
  { approvals, changes }: RunDeps,
  again: Again,
  context: CommandContext,
  asked: Pick<Ask, "idempotencyKey" | "isAsking">,
): Promise<Outcome> {
  if (again.kind === "time") {
    const ruling = { verdict: "withdrawn", note: null, occurrence: again.startsAt, isBack: true } as const;
    return approvals.decide(again.seriesId, ruling, context);
  }
  const command = commandOf(again.words);
  if (command?.kind !== "change") throw new Error(`a plan names no change: ${again.words}`);
  return changes.run({ command, input: again.input, context, ...asked });
}

/** A command and its input, and the change that it comes to. */
export interface AskedFor {
  readonly words: Command["words"];
  readonly input: Input;
  readonly change: { readonly command: ChangeCommand; readonly input: Input };
}

/**
 * In a direct message a change is made outside any channel, or else in the one channel where its requester may make it and that they
 * are in now. Asks where several would do.
 */
export async function inActingChannel(
  { contextOf, channelMembers, settings }: RunDeps,
  { words, input, change }: AskedFor,
  context: RequestContext,
): Promise<RequestContext | Problem> {
  const { inChannels = [], ...actor } = context.actor;
  if (inChannels.length === 0) return context;
  const { policy } = settings();
  const alone = { ...context, actor, may: rightsOf({ policy }, actor, context.channelId) };
  const mayMake = async (channelId: string | null) => {
    const decided = await decideChange(policy, change.command, change.input, { ...alone, channelId });
    return decided.kind !== "refused";
  };
  if (await mayMake(context.channelId)) return alone;
  const judged = await Promise.all(inChannels.map(async (id) => ((await mayMake(id)) ? [id] : [])));
  const [only, ...others] = judged.flat();
  if (others.length > 0) {
    const names = await Promise.all(judged.flat().map(async (id) => ({ id, name: await channelMembers.nameOf(id) })));
    return {
      problem:
        "You may do this in more than one channel. Nothing was changed yet. Choose one here, or ask in the channel itself.",
      buttons: names.map(({ id, name }) => ({
        label: name === undefined ? `In ${id}` : `In #${name}`,
        ...{ words, opens: "result", input, channelId: id },
      })),
    };
  }
  // Where none would do, the refusal is that of a channel that allows such changes.
  const there = only ?? inChannels.find((channelId) => isOffered({ policy }, change.command, { ...alone, channelId }));
  if (there === undefined) return alone;
  const { receiptId, onRecorded, typed, now } = context;
  const asked = { userId: actor.userId, channelId: there, fromHome: true, receiptId, onRecorded };
  return { ...(await contextOf(asked, freshnessOf(change.command))), typed, now };
}
