import type { WebClient } from "@slack/web-api";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import { installedIn } from "../people/actors.ts";
import { adviceFor, refusalText, type SlackRefusal, slackRefusal } from "./slack-refusal.ts";

/** The bot that the token belongs to. */
export interface Bot {
  readonly userId: string;
  readonly teamId: string;
  readonly appId: string | undefined;
  /** The scopes of the token; undefined when Slack did not list them. */
  readonly scopes: readonly string[] | undefined;
}

const { ok, failed } = checkResultsOf("bot token");

/** Asks Slack who the bot is, like the start does. Without a bot, nothing else can be checked. */
export async function checkToken(client: WebClient): Promise<{ readonly result: CheckResult; readonly bot?: Bot }> {
  try {
    const tested = await client.auth.test();
    const { team, user, user_id, bot_id, app_id, is_enterprise_install, response_metadata } = tested;
    const teamId = installedIn(tested);
    if (!teamId || !bot_id || !user_id) return { result: noBot };
    const bot = { userId: user_id, teamId, appId: app_id, scopes: response_metadata?.scopes };
    const place = is_enterprise_install
      ? `for the whole organization (${teamId})`
      : `in the workspace ${team} (${teamId})`;
    return { result: ok(`accepted: @${user} (${user_id}) ${place}`), bot };
  } catch (error) {
    return { result: refused(slackRefusal(error)) };
  }
}

const copyAgain = "Copy the Bot User OAuth Token again from the app's page “OAuth & Permissions” into SLACK_BOT_TOKEN";
const noBot = failed("Slack did not say which bot the token belongs to", `${copyAgain}.`);

/** The remedies for token errors (PLATFORM.md §11.2). */
const remedies: Readonly<Record<string, string>> = {
  invalid_auth: `${copyAgain}. If it is right, check whether the app allows only some IP addresses.`,
  account_inactive: "The app is no longer installed: install it again and put its new token into SLACK_BOT_TOKEN.",
  token_revoked: "The app is no longer installed: install it again and put its new token into SLACK_BOT_TOKEN.",
  token_expired: "Switch token rotation off, as the manifest has it, and install the app again.",
};

function refused(refusal: SlackRefusal): CheckResult {
  const detail = refusalText(refusal);
  return refusal.kind === "refused"
    ? failed(`not accepted: ${detail}`, remedies[refusal.code] ?? `${copyAgain}.`)
    : failed(detail, adviceFor(refusal) ?? `${copyAgain}.`);
}
