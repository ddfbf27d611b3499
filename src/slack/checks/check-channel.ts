import type { WebClient } from "@slack/web-api";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import { adviceFor, refusalText, slackRefusal } from "./slack-refusal.ts";

export interface ChannelInUse {
  readonly id: string;
  /** The places in the config that name it. */
  readonly uses: readonly string[];
  /** Whether Curfew posts there by itself, rather than only answers there. */
  readonly isPostedTo: boolean;
}

const invite = "Type /invite @Curfew in the channel (with your bot's name)";

/** Whether the bot is in the channel (PLATFORM.md §12.6). Whether the channel's settings let it post there, only a post shows. */
export async function checkChannel(client: WebClient, channel: ChannelInUse): Promise<CheckResult> {
  const { ok, warning, failed, notChecked } = checkResultsOf(`channel ${channel.id}`);
  const uses = channel.uses.join(", ");
  const unfit = channel.isPostedTo ? failed : warning;
  try {
    const { is_archived, is_member } = (await client.conversations.info({ channel: channel.id })).channel ?? {};
    if (is_archived)
      return unfit(`it is archived (${uses})`, "Unarchive it, or put another channel's id into the config.");
    if (is_member) return ok(`the bot is a member of it (${uses})`);
    return is_member === false
      ? unfit(`the bot is not a member of it (${uses})`, `${invite}.`)
      : warning(`Slack does not say whether the bot is a member of it (${uses})`, `${invite}.`);
  } catch (error) {
    const refusal = slackRefusal(error);
    const detail = `${refusalText(refusal)} (${uses})`;
    if (refusal.kind !== "refused") return notChecked(detail, adviceFor(refusal));
    if (refusal.code === "missing_scope") return notChecked(detail, "Fix the scopes first.");
    const what =
      refusal.code === "channel_not_found"
        ? `there is no such channel, or it is private and the bot is not in it (${uses})`
        : detail;
    return unfit(what, `${invite}, or put another channel's id into the config.`);
  }
}
