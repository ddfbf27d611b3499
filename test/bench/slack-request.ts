import { createHmac } from "node:crypto";
import { resourceOf, signingSecret, teamId, userIds } from "./workspace-facts.ts";

interface SignedRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A slash command as Slack sends it (PLATFORM.md §3.1). `{resource}` in the line becomes the job's own resource. */
export function slashCommand(job: number, line: string, slackUrl: string): SignedRequest {
  const userId = userIds[job % userIds.length] ?? "";
  const fields = new URLSearchParams({
    token: "unused",
    team_id: teamId,
    team_domain: "bench",
    channel_id: "C0OPS",
    channel_name: "ops",
    user_id: userId,
    user_name: userId.toLowerCase(),
    command: "/curfew",
    text: line.replace("{resource}", resourceOf(job)),
    api_app_id: "A0BENCH",
    is_enterprise_install: "false",
    response_url: `${slackUrl}/respond/${resourceOf(job)}`,
    trigger_id: `${job}.${process.pid}`,
  });
  return signed(fields.toString(), "application/x-www-form-urlencoded");
}

function signed(body: string, contentType: string): SignedRequest {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
  return {
    body,
    headers: {
      "content-type": contentType,
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${signature}`,
    },
  };
}
