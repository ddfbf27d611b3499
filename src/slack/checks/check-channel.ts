import type { WebClient } from "@slack/web-api";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import { adviceFor, refusalText, slackRefusal } from "./slack-refusal.ts";

export interface ChannelInUse {
  readonly id: string;
  /** The places in the config that name it. */
  readonly uses: readonly string[];
}

const invite = "Type /invite @Curfew in the channel (with your bot's name)";

/** The errors that keep a bot from posting to a channel (PLATFORM.md §12.2, §12.3), and the remedies. */
const obstacles: Readonly<Record<string, readonly [what: string, whatToDo: string]>> = {
  channel_not_found: [
    "there is no such channel, or it is private and the bot is not in it",
    `${invite}, or put another channel's id into the config.`,
  ],
  not_in_channel: ["the bot is not a member of it", `${invite}.`],
  user_not_in_channel: ["the bot is not a member of it", `${invite}.`],
  is_archived: ["it is archived", "Unarchive it, or put another channel's id into the config."],
  restricted_action: ["the bot may not post there", "Let the app post in the channel's or the workspace's settings."],
  restricted_action_read_only_channel: ["only some may post there", "Add the app to those in the channel's settings."],
  restricted_action_thread_only_channel: [
    "only replies may be posted there",
    "Change the channel's settings, or put another channel's id into the config.",
  ],
};

/**
 * Whether the bot can post there. It posts an ephemeral message to itself, which nobody sees and nothing keeps. `conversations.info`
 * would need more scopes, and would not say whether a member may also post.
 */
export async function checkChannel(client: WebClient, botUserId: string, channel: ChannelInUse): Promise<CheckResult> {
  const { ok, warning, failed, notChecked } = checkResultsOf(`channel ${channel.id}`);
  const uses = channel.uses.join(", ");
  try {
    await client.chat.postEphemeral({ channel: channel.id, user: botUserId, text: "curfew doctor: nobody sees this." });
    return ok(`the bot can post there (${uses})`);
  } catch (error) {
    const refusal = slackRefusal(error);
    const detail = `${refusalText(refusal)} (${uses})`;
    if (refusal.kind !== "refused") return notChecked(detail, adviceFor(refusal));
    if (refusal.code === "missing_scope") return notChecked(detail, "Fix the scopes first.");
    const [what, whatToDo] = obstacles[refusal.code] ?? [];
    return what === undefined || whatToDo === undefined
      ? warning(
          `could not check whether the bot can post there: ${detail}`,
          `${invite}. If it is already a member, make Curfew post something there.`,
        )
      : failed(`${what} (${uses})`, whatToDo);
  }
}
