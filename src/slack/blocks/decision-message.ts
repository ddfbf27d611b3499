import type { DecisionOutcome } from "../../changes/approvals.ts";
import type { Change } from "../../changes/change.ts";
import { describeChange } from "../../changes/describe-change.ts";
import type { Ruling } from "../../commands/decision-command.ts";
import { stateIcons, stateSentence } from "./change-state.ts";
import { clip } from "./clip.ts";
import { limits } from "./limits.ts";
import { contextBlock, type Message } from "./message.ts";
import { escapeMrkdwn, mrkdwn } from "./mrkdwn.ts";

type Decided = Extract<DecisionOutcome, { readonly kind: "decided" | "overtaken" }>;

/** What somebody is told who decided on a change, or came too late: what counted, and what has become of it. */
export function decisionMessage({ kind, ruling, change }: Decided, deciderId: string | undefined): Message {
  const sentence = `${kind === "decided" ? counted[ruling.verdict] : tooLate(change, deciderId)} ${whatBecame(change)}`;
  return {
    text: escapeMrkdwn(clip(`${sentence} (change ${change.id})`, 1000)),
    blocks: [
      {
        type: "section",
        text: mrkdwn(clip(`${stateIcons[change.state]} ${escapeMrkdwn(sentence)}`, limits.sectionText)),
      },
      contextBlock(`Change \`${change.id}\``),
    ],
  };
}

const counted: Readonly<Record<Ruling["verdict"], string>> = {
  approved: "You approved it.",
  denied: "You denied it.",
  withdrawn: "You withdrew it.",
};

/** Who spoke before is said what they said; each says one thing. */
function tooLate({ state, decisions }: Change, deciderId: string | undefined): string {
  const own = decisions.find(({ approverId }) => approverId === deciderId);
  if (own) return `You have ${own.verdict} this already.`;
  return state === "awaiting-approval" ? "This did not count." : "That came too late.";
}

function whatBecame(change: Change): string {
  const { done, asked } = describeChange(change);
  const { state, actor } = change;
  return state === "succeeded" ? `${actor.name} ${done}.` : `${actor.name} asked to ${asked}. ${stateSentence(change)}`;
}
