import { allowances } from "../state/rate-limits.ts";
import { type ApiMethod, succeed } from "./api-method.ts";

export const authTest: ApiMethod = {
  token: "bot",
  scope: null,
  limit: allowances.hundreds,
  takesJson: true,
  run: (_args, { team, enterprise, app, manifest }) =>
    succeed({
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: "curfew",
      team_id: enterprise?.isOrgWide ? null : team.id,
      ...(enterprise ? { enterprise_id: enterprise.id } : {}),
      user_id: app.botUserId,
      bot_id: app.botId,
      app_id: app.appId,
      app_name: manifest.name,
      is_enterprise_install: enterprise?.isOrgWide === true,
    }),
};

/** Each call creates one single-use URL (PLATFORM.md §14.1). */
export const appsConnectionsOpen: ApiMethod = {
  token: "app",
  scope: null,
  limit: allowances.tier3,
  takesJson: true,
  run: (_args, workspace) => succeed({ url: workspace.issueSocketUrl() }),
};
