import type { KnownBlock } from "@slack/types";
import type { Approvals } from "../../changes/approvals/decide-approval.ts";
import type { OnRefused } from "../../changes/audit.ts";
import { type Denied, decideChange, mayAskAbout, refusedForThing } from "../../changes/authorize/decide-change.ts";
import type { ChangeSettings } from "../../changes/ports.ts";
import { isOffered, mayAskFor, refusalOf } from "../../changes/queries/queries.ts";
import type { CommandButton, Description } from "../../commands/answer.ts";
import { catalogue, commandOf } from "../../commands/catalogue.ts";
import { type ChangeCommand, type Command, type CommandContext, plannedStart } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import { useLongest } from "../../commands/exclusion/exclusion-body.ts";
import { exclusionExtend, extendTo } from "../../commands/exclusion/exclusion-extend.ts";
import type { Input } from "../../commands/field.ts";
import { missingFields } from "../../commands/field-values.ts";
import { allAsRequired } from "../../commands/required-fields.ts";
import type { Logger } from "../../observability/log.ts";
import { isGroupId } from "../../permissions/actor.ts";
import { decide, nobodyElse, whoCould, whoCouldAll } from "../../permissions/decide.ts";
import { lengthWords } from "../../permissions/held-time.ts";
import { browseOperation } from "../../service/operations.ts";
import type { Message } from "../messages/message.ts";
import { askingNotice, refusalMessage } from "../messages/notices.ts";
import type { Purpose } from "../people/look-up.ts";
import type { RequestContext } from "./request-context.ts";

/** Called at the end of every command with its words and outcome, also if it is refused. */
export type OnCommand = (words: string, outcome: string, changeId?: string) => void;

/** Decides, before a command runs, who may use it here. Each refusal is counted and logged. */
export interface Access {
  isOffered(command: Command, context: CommandContext): boolean;
  offered(context: CommandContext): readonly Command[];
  /** Counts and logs a refusal that was decided elsewhere. `words`: the command's. */
  refused(words: string, context: Requester, denied: Pick<Denied, "rule">): void;
  /** Whether the requester is a guest, a bot or a stranger without any right here. */
  isOutsider(context: Requester): boolean;
  /** Their refusal. */
  refusalOfOutsider(context: Requester): Denied | undefined;
  /** The refusal of a command that is not offered here; undefined if it is, or if the requester may ask others to allow it. */
  refusal(command: Command, context: RequestContext): Message | undefined;
  /** The same; an approval, denial or withdrawal is judged by its change. */
  refusalOf(command: Command, input: Input, context: RequestContext): Promise<Message | undefined>;
  /** Whether the requester may do exactly this here, perhaps with an approval. */
  mayRun(command: Command, input: Input, context: CommandContext): Promise<boolean>;
  /** What exactly it would do, if the requester may do it here. */
  wouldDo(command: ChangeCommand, input: Input, context: CommandContext): Promise<Description | undefined>;
  /** The refusal of a form that could only be refused when sent: the requester may never change this here, nor ask others to allow it. */
  refusalOfForm(command: Command, input: Input, context: RequestContext): Promise<Message | undefined>;
  /** What stands above a form whose sender can only ask others to allow it. */
  formNotice(command: Command, input: Input, context: CommandContext): Promise<readonly KnownBlock[]>;
}

type Requester = Pick<CommandContext, "actor" | "channelId">;

export interface AccessOptions {
  readonly settings: () => ChangeSettings;
  readonly approvals: Pick<Approvals, "whyNot">;
  readonly onCommand?: OnCommand | undefined;
  readonly onRefused?: OnRefused | undefined;
  readonly log: Logger;
}

export function createAccess({ settings, approvals, onCommand, onRefused, log }: AccessOptions): Access {
  const refused: Access["refused"] = (words, { actor, channelId }, { rule }) => {
    onCommand?.(words, "refused");
    const about = { command: words, actorId: actor.userId, channelId, outcome: "refused" };
    log.info({ ...about, decision: "refused", rule }, "command");
    onRefused?.({ command: words, actor: actor.userId, channel: channelId, rule });
  };
  const isOfferedTo: Access["isOffered"] = (command, context) => isOffered(settings(), command, context);
  const refusal = (command: Command, context: RequestContext, input: Input = {}, could?: Denied["couldDo"]) => {
    if (isOfferedTo(command, context) || mayAskFor(settings(), command, context.actor)) return undefined;
    const denied = withHolders(refusalOf(settings(), command, context), could);
    refused(command.words, context, denied);
    const { actor, typed } = context;
    const purpose = purposeOf(command);
    const help = purpose === "read" && actor.membership === "member" ? [whatElse] : [];
    const buttons = [...help, ...alternativeTo(command, input, (alternative) => isOfferedTo(alternative, context))];
    return refusalMessage(denied, { purpose, buttons, teamId: actor.teamId, typed });
  };
  const outsider = ({ actor, channelId }: Requester): Denied | undefined => {
    if (actor.membership === "member") return undefined;
    const decision = decide(settings().policy, { actor, operation: browseOperation, channelId });
    return decision.kind === "allowed" ? undefined : decision;
  };
  const deniedForForm = async (command: Command, input: Input, context: CommandContext) => {
    const isChange = command.kind === "change" || command.kind === "shortcut";
    if (isChange && !isOfferedTo(command, context)) return refusalOf(settings(), command, context);
    return command.kind === "change" ? refusedForThing(settings().policy, command, input, context) : undefined;
  };
  /** In their own channel they need not ask anybody, so a form leads there. */
  const isToBeAsked = async ({ channels }: Denied, command: Command, input: Input, context: CommandContext) =>
    channels === undefined && command.kind === "change" && mayAskAbout(settings().policy, command, input, context);
  return {
    refused,
    isOutsider: (context) => outsider(context) !== undefined,
    isOffered: isOfferedTo,
    offered: (context) => allAsRequired(catalogue, context.settings).filter((command) => isOfferedTo(command, context)),
    refusalOfOutsider: (context) => {
      const decision = outsider(context);
      if (decision) refused("any command", context, decision);
      return decision;
    },
    refusal: (command, context) => refusal(command, context),
    refusalOf: async (command, input, context) => {
      if (command.kind !== "decision") {
        const could = isOfferedTo(command, context) ? undefined : await couldDo(settings(), command, input, context);
        return refusal(command, context, input, could);
      }
      // What waits is shown to whom it concerns.
      const changeId = command.changeId(input);
      const whyNot = changeId === undefined ? undefined : await approvals.whyNot(changeId, command.verdict, context);
      if (!whyNot) return undefined;
      refused(command.words, context, whyNot);
      return refusalMessage(whyNot);
    },
    mayRun: async (command, input, context) =>
      isOfferedTo(command, context) &&
      (command.kind !== "change" ||
        (await decideChange(settings().policy, command, input, context)).kind === "authorized"),
    wouldDo: (command, input, context) => wouldDo(settings(), command, input, context),
    refusalOfForm: async (command, input, context) => {
      const denied = await deniedForForm(command, input, context);
      if (!denied || (await isToBeAsked(denied, command, input, context))) return undefined;
      refused(command.words, context, denied);
      return refusalMessage(denied, { teamId: context.actor.teamId, typed: context.typed });
    },
    formNotice: async (command, input, context) => {
      const denied = await deniedForForm(command, input, context);
      return denied && (await isToBeAsked(denied, command, input, context)) ? askingNotice(denied) : [];
    },
  };
}

function alternativeTo(
  command: Command,
  input: Input,
  isOffered: (alternative: Command) => boolean,
): readonly CommandButton[] {
  const button = command.kind === "change" ? command.alternative?.(input) : undefined;
  const alternative = button && commandOf(button.words);
  return alternative && isOffered(alternative) ? [button] : [];
}

async function wouldDo(
  { policy }: Pick<ChangeSettings, "policy">,
  command: ChangeCommand,
  input: Input,
  context: CommandContext,
): Promise<Description | undefined> {
  const decision = await decideChange(policy, command, input, context);
  if (decision.kind !== "authorized") return undefined;
  const { request, before } = decision;
  return command.describe({ request, before, after: undefined, startsAt: plannedStart(input) });
}

/** The refusal with those who could do exactly this, where they are known. */
function withHolders(denied: Denied, couldDo = denied.couldDo): Denied {
  const isNobody = couldDo.length === 0 && denied.couldDo.length > 0;
  const words = isNobody ? { toActor: `${denied.toActor ?? denied.reason}${nobodyElse}` } : {};
  return { ...denied, ...words, couldDo };
}

/** Who could do exactly this; undefined where the input does not decide it. */
async function couldDo(
  { policy }: Pick<ChangeSettings, "policy">,
  command: Command,
  input: Input,
  context: CommandContext,
): Promise<Denied["couldDo"] | undefined> {
  if (command.kind !== "change") return undefined;
  const { actor, channelId } = context;
  if (command.series && !command.series.isTimed)
    return whoCouldAll(policy, { actor, channelId }, command.series.operations);
  if (missingFields(command.fields, input).length > 0) return whoCould(policy, factsSaid(command, input, context));
  const judged = await decideChange(policy, command, input, context);
  return judged.kind === "refused" ? judged.decision.couldDo : undefined;
}

/** What an input says of its target that is not whole, since its names are hidden from who typed it. */
function factsSaid({ operation }: ChangeCommand, input: Input, { actor, channelId, now }: CommandContext) {
  const { until, project, type, resourceIds } = input;
  const begin = Math.max(plannedStart(input) ?? now, now);
  return {
    ...{ actor, operation, channelId },
    ...(typeof until === "number" ? { exclusionLengthMs: until - begin } : {}),
    ...(typeof project === "string" ? { projectId: project } : {}),
    ...(typeof type === "string" ? { resourceType: type } : {}),
    ...(isStrings(resourceIds) ? { resourceIds } : {}),
  };
}

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const whatElse: CommandButton = { label: "What I can do", words: "help", opens: "result", input: {} };

/** How fresh the facts about the requester must be. */
export const freshnessOf = (command: Command): Purpose =>
  command.kind === "change" && command.about === "exclusion" ? "exclusion" : purposeOf(command);

/** A query that stores something in Curfew counts as a change. */
export function purposeOf(command: Command): "read" | "change" {
  return command.kind === "query" && command.offeredFor === undefined ? "read" : "change";
}

/** The next steps of a refusal: the same within one's limit, and asking others to allow it as it is. */
export async function refusalButtons(
  denied: Denied,
  command: Command,
  input: Input,
  context: Pick<RequestContext, "now" | "nameOf">,
): Promise<readonly CommandButton[]> {
  const { mayAsk, askedMs } = denied;
  const instead = withinLimits(denied, command, input, context.now);
  if (!mayAsk) return instead;
  const what = askedMs ? lengthWords(askedMs) : "it";
  const label = `Ask ${await nameOfThose(mayAsk, context)} to allow ${what}`;
  return [...instead, { label, words: command.words, opens: "result", input, isAsking: true }];
}

/** The same for as long as every limit leaves. */
function withinLimits({ latestEnd }: Denied, { words }: Command, input: Input, now: number): readonly CommandButton[] {
  if (latestEnd === undefined) return [];
  const begin = Math.max(plannedStart(input) ?? 0, now);
  const ms = Math.round((latestEnd - begin) / 60_000) * 60_000;
  if (ms <= 0) return [];
  if (words === exclusionCreate.words) return [useLongest(input, begin, ms)];
  return words === exclusionExtend.words ? [extendTo(input, now + ms, now)] : [];
}

/** The name of a single person, else the roles. */
async function nameOfThose(
  holders: NonNullable<Denied["mayAsk"]>,
  { nameOf }: Pick<RequestContext, "nameOf">,
): Promise<string> {
  const [id, ...others] = new Set(holders.flatMap(({ members }) => members));
  const name = id && others.length === 0 && !isGroupId(id) ? await nameOf(id) : undefined;
  return name ?? holders.map(({ role }) => role).join(" or ");
}
