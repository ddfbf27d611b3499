import type { StoredMessage } from "../../src/sandbox/workspace/messages.ts";
import { unlimitedConfig } from "./in-both-modes.ts";
import { ask, buttonsOn, cardOf, nowOf, type Told, textOf, toldAfter } from "./journey.ts";
import type { Curfew } from "./start-curfew.ts";

/** The example with these entries under `approvals`, and a role for deputies, which the user group of the engineers holds. */
export function configWith(...approvals: readonly string[]): string {
  const deputies = "    deputy: { members: [S0ENGINEERS], allow: [reads] }\n    admin:\n";
  const entries = approvals.map((entry) => `  - ${entry}\n`).join("");
  return `${unlimitedConfig.replace("    admin:\n", deputies)}\napprovals:\n${entries}`;
}

/** What bob of the help desk may ask for, an admin must approve. */
export const usersNeedAnAdmin = configWith("{ operations: [ModifyUser, RemoveUserMfa], approvers: [admin] }");

export interface Asked extends Told {
  /** Where it is approved. */
  readonly card: StoredMessage;
}

/** Asks for something that needs approval, and waits for the card. */
export async function askFor(
  curfew: Curfew,
  who = "bob",
  line = "user disable dave@example.com",
  channel = "ops",
): Promise<Asked> {
  const told = await ask(curfew, who, line);
  return { ...told, card: await cardOf(curfew, told.changeId, channel) };
}

/** Presses a card's button, and waits for what is said to whoever pressed it. */
export function press(curfew: Curfew, who: string, label: string, card: StoredMessage): Promise<Told> {
  return toldAfter(curfew, who, () => curfew.workspace.as(who).press(label, card));
}

/** Approves it as carol, and waits until bob has been told. */
export async function approve(curfew: Curfew, { card, changeId }: Pick<Asked, "card" | "changeId">): Promise<Told> {
  const told = await press(curfew, "carol", "Approve", card);
  await directMessage(curfew, "bob", changeId);
  return told;
}

/** Denies it as carol by a line, and waits until bob has been told. */
export async function deny(curfew: Curfew, changeId: string, reason = "no"): Promise<Told> {
  const told = await ask(curfew, "carol", `deny ${changeId} ${reason}`);
  await directMessage(curfew, "bob", changeId);
  return told;
}

/** Waits until the card says this. */
export async function cardSaying(curfew: Curfew, card: StoredMessage, part: string): Promise<StoredMessage> {
  await curfew.workspace.waitFor(() => textOf(nowOf(curfew, card)).includes(part), { what: `“${part}” on the card` });
  return nowOf(curfew, card);
}

export function buttonsNow(curfew: Curfew, card: StoredMessage): readonly string[] {
  return buttonsOn(nowOf(curfew, card));
}

/** Waits until this person is told so by direct message. */
export function directMessage({ workspace }: Curfew, who: string, ...parts: readonly string[]): Promise<StoredMessage> {
  const find = () =>
    workspace
      .as(who)
      .messages("dm")
      .find((message) => message.isFromApp && parts.every((part) => textOf(message).includes(part)));
  return workspace.waitFor(find, { what: `“${parts.join("”, “")}” for ${who}` });
}
