import { accountKeyName } from "../config/environment.ts";
import { createServiceClient } from "../service/client.ts";
import { browseOperation } from "../service/operations.ts";
import { createCheckClient } from "../slack/checks/check-client.ts";
import { checkAppToken } from "../slack/checks/check-slack.ts";
import { refusalText, slackRefusal } from "../slack/checks/slack-refusal.ts";
import { installedIn } from "../slack/people/actors.ts";
import { isPostgresUrl, tryDatabase } from "../store/db/open-database.ts";
import { placeOf } from "../store/db/open-postgres.ts";
import type { AppEnvironment, Core } from "./core.ts";
import type { Trials } from "./secrets-in-force.ts";

interface TrialSources extends Pick<Core, "now" | "log" | "settings"> {
  readonly environment: Pick<AppEnvironment, "service" | "slack" | "database">;
}

/** How each new secret is tried before it is used. `teamId`: where the bot is installed; empty while not known. */
export function createTrials({ environment, settings, now, log }: TrialSources, teamId: () => string): Trials {
  const { service, slack, database } = environment;
  const slackClient = (token: string) => createCheckClient({ token, apiUrl: slack.apiUrl, now, log }).client;
  const keyOf =
    (baseUrl: string): Trials[string & keyof Trials] =>
    async (apiKey) => {
      const client = createServiceClient({ baseUrl, apiKey, retries: 0 });
      const result = await client.call(browseOperation, {});
      await client.close();
      return result.kind === "succeeded" ? undefined : `the service says ${result.error.code}`;
    };
  const accounts = Object.entries(settings().accounts).map(([name, { url }]) => [accountKeyName(name), keyOf(url)]);
  return {
    ...Object.fromEntries(accounts),
    SCHEDULER_API_KEY: keyOf(service.baseUrl),
    SLACK_BOT_TOKEN: async (token) => {
      try {
        const bot = await slackClient(token).auth.test();
        return ["", installedIn(bot)].includes(teamId()) ? undefined : "it belongs to another workspace";
      } catch (error) {
        return refusalText(slackRefusal(error));
      }
    },
    SLACK_APP_TOKEN: async (token) => {
      const { verdict, what } = await checkAppToken(slackClient(token), undefined);
      return verdict === "ok" ? undefined : what;
    },
    DATABASE_URL: async (url) => {
      if (!isPostgresUrl(url) || !isPostgresUrl(database) || placeOf(url) !== placeOf(database))
        return "it names another database, which needs a restart";
      try {
        return void (await tryDatabase(url));
      } catch (error) {
        if (!(error instanceof Error && "code" in error)) return "the database refuses it";
        // PostgreSQL's own words name tables and users, and no passwords.
        return `the database says ${"severity" in error ? error.message : error.code}`;
      }
    },
  };
}
