export interface IntroFacts {
  readonly command: string;
  readonly botUrl: string;
  readonly controlUrl: string;
  readonly serviceUrl: string;
  readonly serviceKey: string;
  readonly configFile: string;
  readonly databaseName: string | undefined;
}

/** The text shown when the sandbox starts. */
export function intro(facts: IntroFacts): string {
  const { command, botUrl, controlUrl, serviceUrl, serviceKey, configFile, databaseName } = facts;
  return `Open ${controlUrl} in a browser, or use this prompt.
Curfew runs in its sandbox, on this machine only: an embedded scheduling service and Slack workspace.
  Curfew     ${botUrl}  (/healthz, /readyz)
  service    curl -H "Authorization: AccessKey ${serviceKey}" ${serviceUrl}/api/Actions  (a made-up key)
  config     ${configFile}; database: ${databaseName ?? "temporary, deleted when you stop"}
  scripts    ${controlUrl}  (see GET /help)
  pipelines  curl ${botUrl}/v1/lines -H "Authorization: Bearer sandbox-token-of-deploy-bot" -H "Idempotency-Key: 1" --json '{"line": "keep staging up for 1h"}'
You are alice, an engineer, in #ops. Type what you would type in Slack:
  ${command} exclude i-0a1 for 2h     (${command} exclude alone opens the form)
  wait 8h   then   press Tonight   (#ops is warned half an hour before staging stops)
  as dave   then   ${command} user disable bob
Type ? for all commands, quit or Ctrl-C to stop.
`;
}
