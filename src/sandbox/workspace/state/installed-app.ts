import type { Ids } from "./ids.ts";

export interface InstalledApp {
  readonly teamId: string;
  readonly appId: string;
  readonly botId: string;
  readonly botUserId: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly verificationToken: string;
}

/** The installed app. Its ids are fixed; its secrets are new each time. */
export function installApp(teamId: string, ids: Ids): InstalledApp {
  return {
    teamId,
    appId: "A0CURFEW",
    botId: "B0CURFEW",
    botUserId: "UCURFEW",
    botToken: `xoxb-sandbox-${ids.hex(24)}`,
    appToken: `xapp-1-A0CURFEW-${ids.hex(24)}`,
    signingSecret: ids.hex(32),
    verificationToken: ids.hex(24),
  };
}
