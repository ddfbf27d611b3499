import { readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { type Examined, examine } from "../../src/cli/doctor.ts";
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { defaultSeed, type WorkspaceSeed } from "../../src/sandbox/workspace/default-seed.ts";
import { openStore } from "../../src/store/open-store.ts";
import { newDatabaseFile } from "../store/open-test-store.ts";
import { exampleConfig } from "../support/start-curfew.ts";
import { startWorkspace } from "../support/start-workspace.ts";
import { runWithArgs } from "./run-with-args.ts";

type Mode = "http" | "socket";

const manifestSchema = z.looseObject({
  settings: z.looseObject({ event_subscriptions: z.looseObject({}) }),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
});

/** A healthy workspace, service and database. Tests break parts of it. */
export async function aHealthyPlace({
  mode = "http",
  scopes,
  database,
  seed = defaultSeed,
  rateLimits = "off",
}: {
  mode?: Mode;
  scopes?: readonly string[];
  database?: string;
  seed?: WorkspaceSeed;
  rateLimits?: "slack" | "off";
} = {}) {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(`manifest/slack-app.${mode}.json`, "utf8")));
  const { bot } = manifest.oauth_config.scopes;
  const installed = {
    ...manifest,
    oauth_config: { scopes: { bot: scopes ?? bot } },
    // Slack installs no event without its scope.
    settings: {
      ...manifest.settings,
      event_subscriptions: { ...manifest.settings.event_subscriptions, ...(scopes ? { bot_events: [] } : {}) },
    },
  };
  const service = await startSandboxService();
  const workspace = await startWorkspace({ manifest: installed, seed, rateLimits });
  const databaseFile = newDatabaseFile();
  await (await openStore(database ?? databaseFile)).close();
  onTestFinished(async () => {
    await workspace.close();
    await service.close();
  });
  const env = {
    SLACK_API_URL: workspace.apiUrl,
    SLACK_BOT_TOKEN: workspace.botToken,
    ...(mode === "http" ? { SLACK_SIGNING_SECRET: workspace.signingSecret } : { SLACK_APP_TOKEN: workspace.appToken }),
    SCHEDULER_BASE_URL: service.baseUrl,
    SCHEDULER_API_KEY: service.apiKey,
    DATABASE_URL: database ?? `sqlite:${databaseFile}`,
    CURFEW_CONFIG: "curfew.yaml",
  };
  return { workspace, service, databaseFile, env, files: { "curfew.yaml": exampleConfig } };
}

export type Place = Pick<Awaited<ReturnType<typeof aHealthyPlace>>, "files"> & { readonly env: Record<string, string> };

const report = z.object({
  isWell: z.boolean(),
  checks: z.array(
    z.object({ name: z.string(), verdict: z.string(), what: z.string(), whatToDo: z.string().optional() }),
  ),
});

/** The doctor's report without the checks that are ok. */
export async function complaints(place: Place) {
  const { code, output, errors } = await runWithArgs(["doctor", "--json"], place);
  expect(errors).toBe("");
  const { isWell, checks } = report.parse(JSON.parse(output));
  expect(code).toBe(isWell ? 0 : 1);
  return checks.filter(({ verdict, name }) => verdict !== "ok" && name !== "signing secret");
}

export const withConfig = ({ env }: Place, config: string): Place => ({ env, files: { "curfew.yaml": config } });
export const failed = (name: string, what: unknown, whatToDo: unknown = expect.any(String)) => ({
  name,
  verdict: "failed",
  what,
  whatToDo,
});

/** The doctor's results, with another clock or a shorter time limit. */
export const examineWith = ({ env, files }: Place, more: Partial<Examined>) =>
  examine({
    env: { NODE_ENV: "production", ...env },
    readFile: (path) => (path === "curfew.yaml" ? files[path] : readFileSync(path, "utf8")),
    rootFolder: ".",
    configFile: undefined,
    ...more,
  });
