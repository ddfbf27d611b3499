import type { Change } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import type { Actor } from "../../permissions/actor.ts";
import { factFields } from "./facts.ts";
import { clip, contextBlock, escapeMrkdwn, escapeWithin, limits, type Message, mention, mrkdwn } from "./message.ts";

/** For the person whose account was altered: what was done to it, by whom, and what to do if they did not expect it. */
export function accountOwnerMessage(change: Change, { timeZone }: Pick<Actor, "timeZone">): Message {
  const { actor, id } = change;
  const { done, facts } = describeChange(change);
  const altered = facts.filter(({ before }) => before !== undefined).slice(0, limits.fieldsInSection);
  const what = `:bell: ${mention(actor.userId)} ${escapeWithin(done, 700)}. That is your account in the scheduling service.`;
  const unexpected = `If you did not expect this, ask ${mention(actor.userId)} now; if that does not explain it, tell those who run Curfew or look after security, with the change id: somebody may be after your account.`;
  return {
    text: escapeMrkdwn(clip(`Your account in the scheduling service: ${actor.name} ${done} (change ${id})`, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(what) },
      ...(altered.length ? [{ type: "section", fields: factFields(altered, timeZone) } as const] : []),
      { type: "section", text: mrkdwn(unexpected) },
      contextBlock(`Change \`${id}\``),
    ],
  };
}
