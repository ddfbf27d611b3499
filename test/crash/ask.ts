import { followsText } from "../../src/slack/listeners/acknowledgement.ts";
import { progressText } from "../../src/slack/listeners/attend.ts";
import type { Workspace } from "../support/start-workspace.ts";

/** One person's request for a change. */
export interface CrashRequest {
  readonly handle: string;
  /** The unique name of the requested exclusion. */
  readonly name: string;
  /** Slack's id of the command. */
  readonly triggerId: string;
  readonly isAcknowledged: boolean;
  /** How many of Curfew's messages this person had seen before. */
  readonly seenBefore: number;
}

let lastName = 0;

/** Resolves when Slack has got the command's acknowledgement, or its timeout. */
export async function ask(workspace: Workspace, handle: string): Promise<CrashRequest> {
  lastName += 1;
  const name = `crash-${lastName}`;
  const seenBefore = messagesTo(workspace, handle).length;
  const { ok } = await workspace.as(handle).type(`/curfew exclude staging for 10d --another --name ${name}`, "ops");
  const appRequest = workspace.appRequests.findLast(({ payload }) => String(payload.text).endsWith(`--name ${name}`));
  return { handle, name, triggerId: String(appRequest?.payload.trigger_id), isAcknowledged: ok, seenBefore };
}

export function isNotified(workspace: Workspace, { handle, seenBefore }: CrashRequest): boolean {
  return messagesTo(workspace, handle).length > seenBefore;
}

/** Curfew's messages to this person alone that say an outcome, oldest first. */
export const messagesTo = (workspace: Workspace, handle: string): readonly string[] =>
  allTo(workspace, handle).filter((text) => !isPromise(text));

/** Whether this person was told that an answer follows. */
export const isPromised = (workspace: Workspace, { handle }: CrashRequest): boolean =>
  allTo(workspace, handle).some(isPromise);

const isPromise = (text: string): boolean => [progressText, followsText].some((part) => text.includes(part));

function allTo(workspace: Workspace, handle: string): readonly string[] {
  const person = workspace.as(handle);
  const own = person.messages("ops").filter(({ ephemeralTo }) => ephemeralTo === person.id);
  return [...own, ...person.messages("dm")]
    .filter(({ isFromApp }) => isFromApp)
    .sort((one, other) => Number(one.ts) - Number(other.ts))
    .map(({ text }) => text);
}
