import { createSignal, type Signal } from "../../signal.ts";
import { type AppManifest, parseAppManifest } from "../app-manifest.ts";
import { defaultSeed, type Enterprise, type Workflow, type WorkspaceSeed } from "../default-seed.ts";
import { type Channels, createChannels } from "./channels.ts";
import { createExecutions, type Executions } from "./executions.ts";
import { createIds, type Ids } from "./ids.ts";
import { type InstalledApp, installApp } from "./installed-app.ts";
import { createMessages, type Messages } from "./messages.ts";
import { createPeople, type People } from "./people.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";
import { createResponseUrls, type ResponseUrls } from "./response-urls.ts";
import { createTriggers, type Triggers } from "./triggers.ts";
import { createUserGroups, type UserGroups } from "./user-groups.ts";
import { createViews, type Views } from "./views.ts";

/** The state of the simulated workspace: people, messages, open views, and the one installed app. */
export interface WorkspaceState {
  readonly team: WorkspaceSeed["team"];
  /** Undefined for a workspace that belongs to none. */
  readonly enterprise: Enterprise | undefined;
  readonly workflows: readonly Workflow[];
  readonly app: InstalledApp;
  readonly manifest: AppManifest;
  readonly now: () => number;
  readonly ids: Ids;
  readonly signal: Signal;
  readonly people: People;
  readonly groups: UserGroups;
  readonly channels: Channels;
  readonly messages: Messages;
  readonly executions: Executions;
  readonly views: Views;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly limits: RateLimits;
  /** The workspace's own URL, without a trailing slash. */
  readonly baseUrl: () => string;
}

export interface StateOptions {
  readonly manifest: unknown;
  readonly seed?: WorkspaceSeed | undefined;
  readonly now: () => number;
  readonly random: () => number;
  readonly rateLimits: "slack" | "off";
  readonly baseUrl: () => string;
}

export function createWorkspaceState(options: StateOptions): WorkspaceState {
  const { now, random, baseUrl, seed = defaultSeed } = options;
  const manifest = parseAppManifest(options.manifest);
  const ids = createIds(now, random);
  const signal = createSignal();
  const app = installApp(seed.team.id, ids);
  const bot = { id: app.botUserId, handle: "curfew", realName: manifest.name, isBot: true };
  const people = createPeople(seed, bot, now);
  return {
    team: seed.team,
    enterprise: seed.enterprise,
    workflows: seed.workflows ?? [],
    app,
    manifest,
    now,
    ids,
    signal,
    people,
    groups: createUserGroups(seed, people, now),
    channels: createChannels(seed, people, app.botUserId, now),
    messages: createMessages(ids, signal),
    executions: createExecutions(ids, signal),
    views: createViews(ids, now, signal),
    triggers: createTriggers(ids, now),
    responseUrls: createResponseUrls(ids, now, baseUrl, seed.team.id),
    limits: createRateLimits(options.rateLimits, now),
    baseUrl,
  };
}
