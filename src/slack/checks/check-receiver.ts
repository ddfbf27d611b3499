import type { WebClient } from "@slack/web-api";
import { type CheckResult, checkResultsOf } from "../../observability/check-result.ts";
import { adviceFor, refusalText, slackRefusal } from "./slack-refusal.ts";

const { ok, failed } = checkResultsOf("app token");

/** Asks for a Socket Mode address (PLATFORM.md §14.1) and lets it expire unused. `botsApp`: the bot token's app. */
export async function checkAppToken(client: WebClient, botsApp: string | undefined): Promise<CheckResult> {
  try {
    const { url = "" } = await client.apps.connections.open({});
    const app = URL.canParse(url) ? new URL(url).searchParams.get("app_id") : null;
    if (app !== null && botsApp !== undefined && app !== botsApp) {
      return failed(
        `it belongs to the app ${app}, and the bot token to ${botsApp}`,
        "Take both from the same app: otherwise Curfew gets no requests.",
      );
    }
    return ok("accepted: Slack lets Curfew connect");
  } catch (error) {
    const refusal = slackRefusal(error);
    const detail = refusalText(refusal);
    return failed(refusal.kind === "refused" ? `not accepted: ${detail}` : detail, adviceFor(refusal) ?? needed);
  }
}

const needed =
  "SLACK_APP_TOKEN is an app-level token (“Basic Information”) with the scope connections:write, of an app with Socket Mode switched on.";

export const signingSecretUnseen: CheckResult = checkResultsOf("signing secret").notChecked(
  "only a request from Slack shows whether SLACK_SIGNING_SECRET is right",
  "Start Curfew and type its command. If Slack says that it failed and Curfew logs a wrong signature, copy the secret again.",
);
