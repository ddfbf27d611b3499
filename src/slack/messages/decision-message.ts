import type { DecisionOutcome } from "../../changes/approvals/approvals.ts";
import type { Change } from "../../changes/change.ts";
import { describeChange } from "../../changes/change-command.ts";
import type { Ruling } from "../../commands/about-changes.ts";
import { stateIcons, stateSentence } from "./change-state.ts";
import { clip, contextBlock, escapeMrkdwn, limits, type Message, mrkdwn } from "./message.ts";

type Decided = Extract<DecisionOutcome, { readonly kind: "decided" | "overtaken" }>;

/** What somebody is told who decided on a change, or came too late: what counted, and what has become of it. */
export function decisionMessage(decided: Decided, deciderId: string | undefined): Message {
  const { kind, ruling, change } = decided;
  const said = kind === "decided" ? counted[ruling.verdict] : withoutEffect(decided, deciderId);
  const sentence = `${said} ${whatBecame(change, deciderId)}`;
  // What did not count is no success, even where the change is one.
  const icon = kind === "decided" ? stateIcons[change.state] : ":information_source:";
  return {
    text: escapeMrkdwn(clip(`${sentence} (change ${change.id})`, 1000)),
    blocks: [
      { type: "section", text: mrkdwn(clip(`${icon} ${escapeMrkdwn(sentence)}`, limits.sectionText)) },
      contextBlock(`Change \`${change.id}\``),
    ],
  };
}

const counted: Readonly<Record<Ruling["verdict"], string>> = {
  approved: "You approved it.",
  denied: "You denied it.",
  withdrawn: "You withdrew it.",
};

const rulings: Readonly<Record<Ruling["verdict"], string>> = {
  approved: "approval",
  denied: "denial",
  withdrawn: "withdrawal",
};

/** Who spoke before is said what they said; each says one thing. */
function withoutEffect({ ruling, change }: Decided, deciderId: string | undefined): string {
  const own = change.decisions.find(({ approverId }) => approverId === deciderId);
  if (own?.verdict === ruling.verdict) return `You have ${own.verdict} this already.`;
  const isLate = change.state !== "awaiting-approval";
  const saidBefore = own ? ` You had ${own.verdict} this before${isLate ? "" : ", and each says one thing"}.` : "";
  return `Your ${rulings[ruling.verdict]} ${isLate ? "came too late and " : ""}had no effect.${saidBefore}`;
}

function whatBecame(change: Change, deciderId: string | undefined): string {
  const { done, asked } = describeChange(change);
  const { state, actor } = change;
  const who = actor.userId === deciderId ? "You" : actor.name;
  return state === "succeeded" ? `${who} ${done}.` : `${who} asked to ${asked}. ${stateSentence(change)}`;
}
