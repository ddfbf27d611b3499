import type { WebClient } from "@slack/web-api";
import { type Finding, findingsOf } from "../../observability/finding.ts";
import { installedIn } from "../installed-in.ts";
import { adviceFor, refusalText, type SlackRefusal, slackRefusal } from "./slack-refusal.ts";

/** Whom the bot token belongs to. */
export interface Bot {
  readonly userId: string;
  readonly teamId: string;
  readonly appId: string | undefined;
  /** What the token may do; undefined when Slack did not tell. */
  readonly scopes: readonly string[] | undefined;
}

const { ok, failed } = findingsOf("bot token");

/** Asks Slack who the bot is, as a start does. Without a bot, nothing else can be asked. */
export async function checkToken(client: WebClient): Promise<{ readonly finding: Finding; readonly bot?: Bot }> {
  try {
    const tested = await client.auth.test();
    const { team, user, user_id, bot_id, app_id, is_enterprise_install, response_metadata } = tested;
    const teamId = installedIn(tested);
    if (!teamId || !bot_id || !user_id) return { finding: noBot };
    const bot = { userId: user_id, teamId, appId: app_id, scopes: response_metadata?.scopes };
    const place = is_enterprise_install
      ? `for the whole organisation (${teamId})`
      : `in the workspace ${team} (${teamId})`;
    return { finding: ok(`accepted: @${user} (${user_id}) ${place}`), bot };
  } catch (error) {
    return { finding: refused(slackRefusal(error)) };
  }
}

const copyAgain = "Copy the Bot User OAuth Token anew from the app's page “OAuth & Permissions” into SLACK_BOT_TOKEN";
const noBot = failed("Slack did not say which bot the token belongs to", `${copyAgain}.`);

/** What to do about the answers that a token can get (platform.md §11.2). */
const mending: Readonly<Record<string, string>> = {
  invalid_auth: `${copyAgain}. If it is right, look whether the app allows only some IP addresses.`,
  account_inactive: "The app is not installed any more: install it again and put its new token into SLACK_BOT_TOKEN.",
  token_revoked: "The app is not installed any more: install it again and put its new token into SLACK_BOT_TOKEN.",
  token_expired: "Switch token rotation off, as the manifest has it, and install the app again.",
};

function refused(refusal: SlackRefusal): Finding {
  const told = refusalText(refusal);
  return refusal.kind === "refused"
    ? failed(`not accepted: ${told}`, mending[refusal.code] ?? `${copyAgain}.`)
    : failed(told, adviceFor(refusal) ?? `${copyAgain}.`);
}
