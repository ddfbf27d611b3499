import { type Change, stateWords } from "../../changes/change.ts";
import type { Ask } from "../../changes/ports.ts";
import { type CommandButton, isProblem, type Problem } from "../../commands/answer.ts";
import { commandOf } from "../../commands/catalogue.ts";
import type { Command, Inverse, Preview } from "../../commands/command.ts";
import { meantForPlan } from "../../commands/exclusion/planned/about-plan.ts";
import type { Input } from "../../commands/field.ts";
import type { Logger } from "../../observability/log.ts";
import { logWithReference } from "../../observability/log-with-reference.ts";
import { within } from "../../time/within.ts";
import { previewSoon } from "../forms/form.ts";
import { withButtons } from "../messages/button.ts";
import type { CardLink } from "../messages/cards/card-context.ts";
import type { Message } from "../messages/message.ts";
import { asOne, withLines } from "../messages/message.ts";
import { noticeMessage, problemMessage, refusalMessage } from "../messages/notices.ts";
import { type Outcome, outcomeMessage } from "../messages/outcome-message.ts";
import { type OnCommand, purposeOf } from "./access.ts";
import { type ActingPorts, type AskedFor, inActingChannel } from "./acting-channel.ts";
import { refusalButtons } from "./refusal-buttons.ts";
import type { RequestContext } from "./request-context.ts";
import { type KindPorts, type RunnableCommand, runByKind } from "./run-by-kind.ts";

export interface RunPorts extends ActingPorts, KindPorts {
  readonly cardLink: CardLink;
  readonly now: () => number;
  readonly onCommand?: OnCommand | undefined;
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
  (ports: RunPorts): RunCommand =>
  async (command, input, context, idempotencyKey, isAsking = false) => {
    const asked = { idempotencyKey, isAsking: isAsking || input.ask === true };
    const meant = await meantBy(command, input, context);
    if (meant && isProblem(meant)) return unmade(ports, command, meant);
    const target = meant ? commandOf(meant.words) : command;
    if (!target || target.kind === "shortcut")
      return unmade(ports, command, { problem: "This shortcut leads nowhere. Nothing was changed." });
    const also = meant?.also;
    const done = await runHere(ports, target, meant?.input ?? input, also ? withoutReceipt(context) : context, asked);
    return also ? withAlso(ports, done, also, context, `${idempotencyKey}#also`) : done;
  };

function unmade({ onCommand }: RunPorts, { words }: Command, problem: Problem): CommandReply {
  onCommand?.(words, "invalid");
  return { message: problemMessage(problem), change: undefined, outcome: { kind: "invalid", problem } };
}

/** Runs a command in the channel where it is allowed, if it was asked for in a direct message. */
async function runHere(
  ports: RunPorts,
  command: RunnableCommand,
  input: Input,
  context: RequestContext,
  asked: Pick<Ask, "idempotencyKey" | "isAsking">,
): Promise<CommandReply> {
  const change = context.actor.inChannels && (await changeMade(ports, command, input, context));
  const acting = change ? await inActingChannel(ports, { words: command.words, input, change }, context) : context;
  if (isProblem(acting)) return unmade(ports, command, acting);
  const reply = await runCommand(ports, command, input, acting, asked);
  if (acting.channelId === null || acting.channelId === context.channelId || !reply.change) return reply;
  const name = await ports.channelMembers.nameOf(acting.channelId);
  return { ...reply, message: withLines(reply.message, [`Asked in the name of #${name ?? acting.channelId}.`]) };
}

/** The change that a command comes to; undefined for one that makes none of its own. */
async function changeMade(
  { approvals, changes }: RunPorts,
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
  ports: RunPorts,
  first: CommandReply,
  { words, input }: Inverse,
  context: RequestContext,
  idempotencyKey: string,
): Promise<CommandReply> {
  const command = commandOf(words);
  const isDone = ["planned", "settled", "repeated"].includes(first.outcome.kind);
  if (!isDone || !command || command.kind === "shortcut") return first;
  const second = await runCommand(ports, command, input, context, { idempotencyKey, isAsking: false });
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
  ports: RunPorts,
  command: RunnableCommand,
  input: Input,
  context: RequestContext,
  asked: Pick<Ask, "idempotencyKey" | "isAsking">,
): Promise<CommandReply> {
  const startedAt = ports.now();
  const foreseen = foresee(ports, command, input, { ...context, idempotencyKey: asked.idempotencyKey });
  const effect = async () => (await foreseen).lines;
  const running = runByKind(ports, command, { input, effect, ...asked }, context);
  const [outcome, preview] = await Promise.all([running, foreseen]);
  const change = "change" in outcome ? outcome.change : undefined;
  ports.onCommand?.(command.words, outcome.kind, change?.id);
  const { actor, channelId } = context;
  const about = { command: command.words, actorId: actor.userId, channelId, outcome: outcome.kind };
  ports.log.info({ ...about, ...decisionIn(outcome), ms: ports.now() - startedAt }, "command");
  // A preview for a repeat would describe the state after the first delivery.
  const isDone = outcome.kind === "planned" || (outcome.kind === "settled" && outcome.change.state === "succeeded");
  const expected = isDone ? (preview.answer ?? { effect: "", lines: preview.lines }) : nothingExpected;
  const cardLink =
    outcome.kind === "already-requested" ? await within(cardLinkMs, ports.cardLink(outcome.change)) : undefined;
  const buttons = outcome.kind === "refused" ? await refusalButtons(outcome.decision, command, input, context) : [];
  return {
    message: inWords(ports, command, outcome, context, { buttons, expected, cardLink }),
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
function inWords(
  { log }: RunPorts,
  command: Command,
  outcome: Outcome,
  { actor, typed }: RequestContext,
  { buttons, expected, cardLink }: Said,
): Message {
  try {
    if (outcome.kind === "refused")
      return refusalMessage(outcome.decision, { purpose: purposeOf(command), buttons, teamId: actor.teamId, typed });
    const { timeZone: zone, userId: requesterId } = actor;
    const said = outcomeMessage(outcome, { zone, requesterId, cardLink, effect: expected.effect });
    return withButtons(withLines(said, expected.lines), expected.buttons ?? []);
  } catch (error) {
    const facts = { outcome: outcome.kind };
    const reference = logWithReference(log, error, "an outcome could not be put into words", facts);
    const known =
      "change" in outcome ? `Change ${outcome.change.id}: ${stateWords[outcome.change.state]}` : "Nothing was changed";
    return noticeMessage(
      ":warning:",
      `${known}, but Curfew could not draw its answer. Tell the people who run Curfew: ${reference}.`,
    );
  }
}

type Expected = NonNullable<Preview["answer"]>;
const nothingExpected: Expected = { effect: "", lines: [] };

/** The preview of the command's effect; empty if it cannot be read in time. */
async function foresee(
  ports: RunPorts,
  command: Command,
  input: Input,
  context: RequestContext,
): Promise<Pick<Preview, "lines" | "answer">> {
  if (command.kind !== "change") return nothingExpected;
  const preview = await previewSoon(command, input, context).catch((error: unknown) => {
    ports.log.warn({ err: error, command: command.words }, "what a command would do could not be foreseen");
    return undefined;
  });
  return preview ?? nothingExpected;
}
