export interface IntroFacts {
  readonly command: string;
  readonly botUrl: string;
  readonly controlUrl: string;
  readonly serviceUrl: string;
  readonly configFile: string;
  readonly databaseName: string | undefined;
}

/** The few lines a newcomer needs. */
export function intro(facts: IntroFacts): string {
  const { command, botUrl, controlUrl, serviceUrl, configFile, databaseName } = facts;
  return `Curfew runs in its sandbox, on this machine only: an embedded scheduling service and Slack workspace.
  Curfew     ${botUrl}  (/healthz, /readyz)   the service  ${serviceUrl}
  config     ${configFile}
  database   ${databaseName ?? "temporary, gone when you stop"}
  scripts    ${controlUrl}  (GET / tells how)
You are alice, an engineer, in #ops. Type what you would type in Slack:
  ${command} exclude i-0a1 for 2h
  ${command} exclude                  opens the form
  as dave   and then   ${command} user disable bob
? shows what else you can type, quit or Ctrl-C ends it.
`;
}
