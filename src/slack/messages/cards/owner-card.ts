import type { KnownBlock } from "@slack/types";
import { type Change, isOver } from "../../../changes/change.ts";
import { describeChange } from "../../../changes/change-command.ts";
import type { CommandButton } from "../../../commands/answer.ts";
import { type Actor, isProgram } from "../../../permissions/actor.ts";
import { holdersBeside } from "../../../permissions/policy.ts";
import { buttonRow } from "../button.ts";
import { factFields, factLine, holderMentions } from "../facts.ts";
import {
  clip,
  code,
  contextBlock,
  date,
  greyText,
  limits,
  literal,
  type Message,
  type Mrkdwn,
  md,
  mention,
  mrkdwn,
} from "../message.ts";
import { approvedWords, decisionLines } from "./approval-blocks.ts";
import { cardIcons, stateSentence } from "./change-state.ts";

/** Somebody with an address of the account. Only its owner, as a full member, may stop a change of it. */
export interface OwnerReader extends Pick<Actor, "timeZone"> {
  readonly mayStop: boolean;
}

const ofOwnAccount = "That is your account in the scheduling service.";

/** For the owner of an account: what somebody asked for, with the button that stops it; later, what came of it. */
export function ownerCard(change: Change, { timeZone, mayStop }: OwnerReader): Message {
  const { actor, approval, id, reason, state } = change;
  const { asked, askedOfOwner = asked, facts } = describeChange(change);
  const waits = state === "awaiting-approval" || state === "approved";
  const wish = `${waits ? "wants" : "wanted"} to ${askedOfOwner}`;
  const until = waits && approval ? [md`waits for approval until ${date(approval.expiresAt, timeZone)}`] : [];
  const came = waits ? "" : md` ${literal(cameOf(change), 700)}`;
  const next = waits ? md` ${mayStop ? "Didn't ask for this? Stop it." : whoCanStop(change)}` : "";
  const icon = waits ? ":bell:" : cardIcons[state];
  const grey = [
    md`${ofOwnAccount}`,
    ...(reason ? [literal(reason, 300)] : []),
    factLine(facts, timeZone, 600),
    ...until,
    ...approvedWords(change),
  ];
  const blocks: KnownBlock[] = [
    {
      type: "section",
      text: mrkdwn(md`${icon} ${mention(actor.userId)} ${literal(wish, 700)}.${came}${next}`),
    },
    ...(isOver(state) && state !== "succeeded" ? decisionLines(change).map(contextBlock) : []),
    contextBlock(greyText(grey, id)),
    ...buttonRow(waits && mayStop ? [stopButton(change)] : []),
  ];
  return {
    text: literal(clip(`Your account in the scheduling service: ${actor.name} ${wish} (change ${id})`, 1000)),
    blocks,
  };
}

function cameOf(change: Change): string {
  return change.state === "succeeded" ? "It was approved and done." : stateSentence(change);
}

function whoCanStop({ approval, actor }: Change): Mrkdwn {
  const holders = holdersBeside(approval?.approvers ?? [], actor.userId);
  return holders.length > 0
    ? md`If you did not ask for this, tell ${holderMentions(holders, " or ")} now: they can deny it.`
    : md`You did not ask for this? Tell the people who run Curfew now.`;
}

function stopButton({ id }: Change): CommandButton {
  const input = { change: id, reason: "It is my account, and I did not ask for this." };
  return { label: "Stop it", words: "deny", opens: "result", input };
}

/** For the person whose account was changed: the change, who made it, and what to do if they did not expect it. */
export function accountOwnerMessage(change: Change, { timeZone }: Pick<Actor, "timeZone">): Message {
  const { actor, id } = change;
  const { done, facts } = describeChange(change);
  const altered = facts.filter(({ before }) => before !== undefined).slice(0, limits.fieldsInSection);
  const notice = md`:bell: ${mention(actor.userId)} ${literal(done, 700)}. ${ofOwnAccount}`;
  const ask = isProgram(actor.userId)
    ? "contact"
    : md`ask ${mention(actor.userId)} now. If their answer does not explain it, contact`;
  const unexpected = md`If you did not expect this, ${ask} your security team or the people who run Curfew. Give them the change id. Somebody may be attacking your account.`;
  return {
    text: literal(clip(`Your account in the scheduling service: ${actor.name} ${done} (change ${id})`, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(notice) },
      ...(altered.length ? [{ type: "section", fields: factFields(altered, timeZone) } as const] : []),
      { type: "section", text: mrkdwn(unexpected) },
      contextBlock(md`Change ${code(id)}`),
    ],
  };
}
