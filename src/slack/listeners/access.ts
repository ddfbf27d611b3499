import type { Approvals } from "../../changes/approvals/decide-approval.ts";
import { type Denied, decideChange, refusedForThing } from "../../changes/authorize/decide-change.ts";
import type { ChangeSettings } from "../../changes/ports.ts";
import { isOffered, refusalOf } from "../../changes/queries/queries.ts";
import { catalogue } from "../../commands/catalogue.ts";
import type { Command, CommandContext } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import { decide } from "../../permissions/decide.ts";
import { browseOperation } from "../../service/operations.ts";
import type { Message } from "../messages/message.ts";
import { refusalMessage } from "../messages/outcome-message.ts";
import type { Purpose } from "../people/look-up.ts";

/** Called at the end of every command with its words and outcome, also if it is refused. */
export type OnCommand = (words: string, outcome: string, changeId?: string) => void;

/** Decides, before a command runs, who may use it here. Each refusal is counted. */
export interface Access {
  isOffered(command: Command, context: CommandContext): boolean;
  offered(context: CommandContext): readonly Command[];
  /** Whether the requester is a guest, a bot or a stranger without any right here. */
  isOutsider(context: Pick<CommandContext, "actor" | "channelId">): boolean;
  /** Their refusal. */
  refusalOfOutsider(context: Pick<CommandContext, "actor" | "channelId">): Denied | undefined;
  /** The refusal of a command that is not offered here; undefined if it is. */
  refusal(command: Command, context: CommandContext): Message | undefined;
  /** The same; an approval, denial or withdrawal is judged by its change. */
  refusalOf(command: Command, input: Input, context: CommandContext): Promise<Message | undefined>;
  /** Whether the requester may do exactly this here, perhaps with an approval. */
  mayRun(command: Command, input: Input, context: CommandContext): Promise<boolean>;
  /** The refusal of a form that could only be refused when sent: the requester may never change this entity here. */
  refusalOfForm(command: Command, input: Input, context: CommandContext): Promise<Message | undefined>;
}

export interface AccessOptions {
  readonly settings: () => ChangeSettings;
  readonly approvals: Pick<Approvals, "whyNot">;
  readonly onCommand?: OnCommand | undefined;
}

export function createAccess({ settings, approvals, onCommand }: AccessOptions): Access {
  const refused = (words: string): void => onCommand?.(words, "refused");
  const isOfferedTo: Access["isOffered"] = (command, context) => isOffered(settings(), command, context);
  const refusal: Access["refusal"] = (command, context) => {
    if (isOfferedTo(command, context)) return undefined;
    refused(command.words);
    return refusalMessage(refusalOf(settings(), command, context), purposeOf(command));
  };
  const outsider = ({ actor, channelId }: Pick<CommandContext, "actor" | "channelId">): Denied | undefined => {
    if (actor.membership === "member") return undefined;
    const decision = decide(settings().policy, { actor, operation: browseOperation, channelId });
    return decision.kind === "allowed" ? undefined : decision;
  };
  return {
    isOutsider: (context) => outsider(context) !== undefined,
    isOffered: isOfferedTo,
    offered: (context) => catalogue.filter((command) => isOfferedTo(command, context)),
    refusalOfOutsider: (context) => {
      const decision = outsider(context);
      if (decision) refused("any command");
      return decision;
    },
    refusal,
    refusalOf: async (command, input, context) => {
      if (command.kind !== "decision" || input.change === undefined) return refusal(command, context);
      const whyNot = await approvals.whyNot(command.changeId(input), command.verdict, context.actor);
      if (!whyNot) return undefined;
      refused(command.words);
      return refusalMessage(whyNot);
    },
    mayRun: async (command, input, context) => {
      if (!isOfferedTo(command, context)) return false;
      if (command.kind !== "change") return true;
      const decision = await decideChange(settings().policy, command, input, context);
      return decision.kind === "authorized";
    },
    refusalOfForm: async (command, input, context) => {
      if (command.kind !== "change") return undefined;
      const denied = await refusedForThing(settings().policy, command, input, context);
      if (!denied) return undefined;
      refused(command.words);
      return refusalMessage(denied);
    },
  };
}

/** How fresh the facts for a command must be. A query that stores something in Curfew counts as a change. */
export function purposeOf(command: Command): Purpose {
  return command.kind === "query" && command.offeredFor === undefined ? "read" : "change";
}
