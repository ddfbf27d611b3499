import { decideChange, rightsOf } from "../../changes/authorize/decide-change.ts";
import type { ChangeSettings } from "../../changes/ports.ts";
import { isOffered } from "../../changes/queries/queries.ts";
import type { Problem } from "../../commands/answer.ts";
import type { ChangeCommand, Command } from "../../commands/command.ts";
import type { Input } from "../../commands/field.ts";
import type { ChannelMembers } from "../people/channel-members.ts";
import type { ContextOf, RequestContext } from "./request-context.ts";

export interface ActingPorts {
  readonly contextOf: ContextOf;
  readonly channelMembers: Pick<ChannelMembers, "nameOf">;
  readonly settings: () => ChangeSettings;
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
  { contextOf, channelMembers, settings }: ActingPorts,
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
  return { ...(await contextOf(asked, "change")), typed, now };
}
