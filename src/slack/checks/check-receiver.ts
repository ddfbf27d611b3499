import type { WebClient } from "@slack/web-api";
import { type Finding, findingsOf } from "../../observability/finding.ts";
import { adviceFor, refusalText, slackRefusal } from "./slack-refusal.ts";

const { ok, failed } = findingsOf("app token");

/** Asks for an address to connect to, as Socket Mode does (platform.md §14.1), and lets it expire. `botsApp`: the bot token's app. */
export async function checkAppToken(client: WebClient, botsApp: string | undefined): Promise<Finding> {
  try {
    const { url = "" } = await client.apps.connections.open({});
    const app = URL.canParse(url) ? new URL(url).searchParams.get("app_id") : null;
    if (app !== null && botsApp !== undefined && app !== botsApp) {
      return failed(
        `it belongs to the app ${app}, and the bot token to ${botsApp}`,
        "Take both from the same app, or Curfew hears nothing of what people ask the bot.",
      );
    }
    return ok("accepted: Slack lets Curfew connect");
  } catch (error) {
    const refusal = slackRefusal(error);
    const told = refusalText(refusal);
    return failed(refusal.kind === "refused" ? `not accepted: ${told}` : told, adviceFor(refusal) ?? needed);
  }
}

const needed =
  "SLACK_APP_TOKEN is an app-level token (“Basic Information”) with the scope connections:write, of an app with Socket Mode switched on.";

export const signingSecretUnseen: Finding = findingsOf("signing secret").notChecked(
  "only a request from Slack shows whether SLACK_SIGNING_SECRET is right",
  "Start Curfew and type its command: when Slack says that it failed, and Curfew logs a signature that does not fit, copy the secret anew.",
);
