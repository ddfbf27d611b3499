import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { ask, buttonsOn, type CommandReply, cardOf, messagesAfter, nowOf, textOf } from "./journey.ts";
import { type Curfew, unlimitedConfig } from "./start-curfew.ts";

/** The example with these entries under `approvals`, and a role for deputies with the engineers' user group as members. */
export function configWith(...approvals: readonly string[]): string {
  const deputies = "    deputy: { members: [S0ENGINEERS], allow: [reads] }\n    admin:\n";
  const entries = approvals.map((entry) => `  - ${entry}\n`).join("");
  return `${unlimitedConfig.replace("    admin:\n", deputies)}\napprovals:\n${entries}`;
}

/** Requests by bob of the help desk that an admin must approve. */
export const usersNeedAnAdmin = configWith("{ operations: [ModifyUser, RemoveUserMfa], approvers: [admin] }");

export interface Asked extends CommandReply {
  /** The channel for approvals. */
  readonly card: StoredMessage;
}

/** Requests something that needs approval, and waits for the card. */
export async function askFor(
  curfew: Curfew,
  who = "bob",
  line = "user disable dave@example.com",
  channel = "ops",
): Promise<Asked> {
  const answer = await answered(curfew, () => ask(curfew, who, line));
  const card = await cardOf(curfew, answer.changeId, channel);
  await curfew.app.idle();
  return { ...answer, card };
}

/** An earlier request would block the same request. */
export async function withdrawAll(curfew: Curfew, who = "bob"): Promise<void> {
  const { message } = await answered(curfew, () => ask(curfew, who, "approval list mine"));
  for (const id of new Set(JSON.stringify(message.blocks).match(/chg-[0-9a-z]+/g)))
    await ask(curfew, who, `withdraw ${id}`);
}

/** Presses a card's button, and waits for the reply to the person who pressed it. */
export function press(curfew: Curfew, who: string, label: string, card: StoredMessage): Promise<CommandReply> {
  return answered(curfew, () => messagesAfter(curfew, who, () => curfew.workspace.as(who).press(label, card)));
}

/** Earlier messages have arrived by then, so none is taken for the reply. */
async function answered(curfew: Curfew, act: () => Promise<CommandReply>): Promise<CommandReply> {
  await curfew.app.idle();
  return act();
}

/** Waits until the card has this text. */
export async function cardSaying(curfew: Curfew, card: StoredMessage, part: string): Promise<StoredMessage> {
  await curfew.workspace.waitFor(() => textOf(nowOf(curfew, card)).includes(part), { what: `“${part}” on the card` });
  return nowOf(curfew, card);
}

export function buttonsNow(curfew: Curfew, card: StoredMessage): readonly string[] {
  return buttonsOn(nowOf(curfew, card));
}

/** Waits until this person gets this by direct message. */
export function directMessage({ workspace }: Curfew, who: string, ...parts: readonly string[]): Promise<StoredMessage> {
  const find = () =>
    workspace
      .as(who)
      .messages("dm")
      .find(
        (message) => message.isFromApp && parts.every((part) => `${textOf(message)}\n${message.text}`.includes(part)),
      );
  return workspace.waitFor(find, { what: `“${parts.join("”, “")}” for ${who}` });
}
