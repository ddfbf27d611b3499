import type { Workspace } from "../../src/sandbox/workspace/start-workspace.ts";
import { progressText } from "../../src/slack/listeners/progress-notice.ts";

/** A change that one person asked for. */
export interface Asked {
  readonly handle: string;
  /** The name of the exclusion that was asked for, which no other has. */
  readonly name: string;
  /** Slack's id of the command. */
  readonly triggerId: string;
  readonly isAcknowledged: boolean;
  /** How many messages of Curfew's this person had seen before. */
  readonly seenBefore: number;
}

let lastName = 0;

/** Resolves when Slack has got the command's acknowledgement, or none. */
export async function ask(workspace: Workspace, handle: string): Promise<Asked> {
  lastName += 1;
  const name = `crash-${lastName}`;
  const seenBefore = saidTo(workspace, handle).length;
  const { ok } = await workspace.as(handle).type(`/curfew exclude staging for 10d --name ${name}`, "ops");
  const outboxMessage = workspace.appRequests.findLast(({ payload }) =>
    String(payload.text).endsWith(`--name ${name}`),
  );
  return { handle, name, triggerId: String(outboxMessage?.payload.trigger_id), isAcknowledged: ok, seenBefore };
}

export function isNotified(workspace: Workspace, { handle, seenBefore }: Asked): boolean {
  return saidTo(workspace, handle).length > seenBefore;
}

/** What Curfew has told one person alone, oldest first. */
export function saidTo(workspace: Workspace, handle: string): readonly string[] {
  const person = workspace.as(handle);
  const own = person.messages("ops").filter(({ ephemeralTo }) => ephemeralTo === person.id);
  return (
    [...own, ...person.messages("dm")]
      .filter(({ isFromApp }) => isFromApp)
      .sort((one, other) => Number(one.ts) - Number(other.ts))
      .map(({ text }) => text)
      // That they wait says nothing of what becomes of it.
      .filter((text) => !text.includes(progressText))
  );
}
