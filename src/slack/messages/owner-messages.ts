import type { KnownBlock } from "@slack/types";
import { addressIn, isNotifiable, isTakeover } from "../../changes/account-owner.ts";
import { isAccountOwner } from "../../changes/approvals/who-may-approve.ts";
import { type Change, isOver, type NewNotice } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import { isToAddress, type NewOutboxMessage } from "../../changes/outbox-message.ts";
import type { ChangeStore, WithEmail } from "../../changes/ports.ts";
import type { CommandButton } from "../../commands/answer.ts";
import { type Actor, isProgram } from "../../permissions/actor.ts";
import { holdersBeside } from "../../permissions/policy.ts";
import { buttonRow } from "./button.ts";
import { approvedWords, cardIcons, decisionLines, stateBelow } from "./cards/change-state.ts";
import { factLine, holderMentions } from "./facts.ts";
import { contextBlock, greyLine, type Message, message, section } from "./message.ts";
import { date, literal, type Mrkdwn, md, mention } from "./text.ts";

/** A direct message to somebody with an address of an altered account. */
export interface OwnerMessage {
  /** Their Slack user id. */
  readonly to: string;
  readonly message: Message;
  readonly notice: NewNotice;
}

/** What deciding who owns an account looks at. */
export interface OwnerPorts {
  readonly store: Pick<ChangeStore, "list">;
  readonly withEmail: WithEmail;
}

/** Undefined for one's own change, for people outside the organization, and for somebody who has this message already. */
export async function ownerMessage(
  { kind, to }: Pick<NewOutboxMessage, "kind" | "to">,
  change: Change,
  ports: OwnerPorts,
): Promise<OwnerMessage | undefined> {
  // Earlier versions queued the id of the account.
  const address = isToAddress({ to }) ? to : addressIn(change.before);
  const person = address === undefined ? undefined : await ports.withEmail(address);
  if (!person || !isNotifiable(person) || person.userId === change.actor.userId) return undefined;
  const { userId, name } = person;
  const about = kind === "owner-card" ? "asked" : "made";
  if (change.notices.some((notice) => notice.userId === userId && notice.about === about)) return undefined;
  const isOwner = await isAccountOwner(ports, change, person);
  const message =
    about === "asked"
      ? ownerCard(change, readerOf(person, isOwner))
      : accountOwnerMessage(change, person, await isTakeover(change, ports.store));
  return { to: userId, message, notice: { userId, name, about, isOwner } };
}

/** The message about what was asked for, as it stands now. */
export async function redrawnOwnerCard(to: string, change: Change, ports: OwnerPorts): Promise<Message> {
  const person = await ports.withEmail(to);
  if (!person) return ownerCard(change, { timeZone: change.actor.timeZone, mayStop: false });
  return ownerCard(change, readerOf(person, await isAccountOwner(ports, change, person)));
}

const readerOf = ({ timeZone, membership }: Actor, isOwner: boolean): OwnerReader => ({
  timeZone,
  mayStop: isOwner && membership === "member",
});

/** Somebody with an address of the account. Only its owner, as a full member, may stop a change of it. */
interface OwnerReader extends Pick<Actor, "timeZone"> {
  readonly mayStop: boolean;
}

/** For the owner of an account: what somebody asked for, with the button that stops it; later, what came of it. */
export function ownerCard(change: Change, { timeZone, mayStop }: OwnerReader): Message {
  const { actor, approval, id, reason, state } = change;
  const { done, asked, ofOwner = { done, asked }, facts } = describeChange(change);
  const waits = state === "awaiting-approval" || state === "approved";
  const wish = `${waits ? "wants" : "wanted"} to ${ofOwner.asked}`;
  const until = waits && approval ? [md`waits for approval until ${date(approval.expiresAt, timeZone)}`] : [];
  const came = waits
    ? ""
    : md` ${literal(change.state === "succeeded" ? "Approved and done." : stateBelow(change), 700)}`;
  const next = waits ? md` ${mayStop ? "Didn't ask for this? Stop it." : whoCanStop(change)}` : "";
  const icon = waits ? ":bell:" : cardIcons[state];
  const grey = [
    ...(reason ? [literal(reason, 300)] : []),
    factLine(waits ? facts : facts.filter(({ before }) => before !== undefined), timeZone, 600),
    ...until,
    ...approvedWords(change),
  ];
  const blocks: KnownBlock[] = [
    section(md`${icon} ${mention(actor.userId)} ${literal(wish, 700)}.${came}${next}`),
    ...(isOver(state) && state !== "succeeded" ? decisionLines(change).map(contextBlock) : []),
    ...greyLine(grey, waits ? id : undefined),
    ...buttonRow(waits && mayStop ? [stopButton(change)] : []),
  ];
  return message(`Your account in the scheduling service: ${actor.name} ${wish} (change ${id})`, blocks);
}

function whoCanStop({ approval, actor }: Change): Mrkdwn {
  const holders = holdersBeside(approval?.approvers ?? [], actor.userId);
  return holders.length > 0
    ? md`If you did not ask for this, tell ${holderMentions(holders)} now: they can deny it.`
    : md`You did not ask for this? Tell the people who run Curfew now.`;
}

function stopButton({ id }: Change): CommandButton {
  const input = { change: id, reason: "It is my account, and I did not ask for this." };
  return { label: "Stop it", words: "deny", opens: "result", input };
}

/** For the person whose account was changed: what, and by whom. `isTakeover`: enough was changed to sign in as them. */
export function accountOwnerMessage(
  change: Change,
  { timeZone }: Pick<Actor, "timeZone">,
  isTakeover = false,
): Message {
  const { actor, id } = change;
  const { done, asked, ofOwner = { done, asked }, facts, saysAll = false } = describeChange(change);
  const altered = saysAll ? [] : facts.filter(({ before }) => before !== undefined);
  const ask = isProgram(actor.userId) ? "Ask the people who run Curfew." : md`Ask ${mention(actor.userId)}.`;
  const advice = isTakeover
    ? md`Your address and your MFA were both changed. Somebody may be attacking your account. If you don't know why, call your security team now, with the change id.`
    : md`Not expected? ${ask}`;
  return message(`Your account in the scheduling service: ${actor.name} ${ofOwner.done} (change ${id})`, [
    section(md`:bell: ${mention(actor.userId)} ${literal(ofOwner.done, 700)}. ${advice}`),
    ...greyLine([factLine(altered, timeZone, 600)], isTakeover ? id : undefined),
  ]);
}
