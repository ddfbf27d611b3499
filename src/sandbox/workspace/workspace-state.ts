import { createSignal, type Signal } from "../signal.ts";
import { type AppManifest, parseAppManifest } from "./app-manifest.ts";
import { type Channels, createChannels } from "./channels.ts";
import { defaultSeed, type WorkspaceSeed } from "./default-seed.ts";
import type { Enterprise } from "./enterprise.ts";
import { createIds, type Ids } from "./ids.ts";
import { createMessages, type Messages } from "./messages.ts";
import { createPeople, type People } from "./people.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";
import { createResponseUrls, type ResponseUrls } from "./response-urls.ts";
import { createTriggers, type Triggers } from "./triggers.ts";
import { createUserGroups, type UserGroups } from "./user-groups.ts";
import { createViews, type Views } from "./views.ts";

/** Everything the simulated workspace knows: who is there, what was said, what is open, and the one app installed in it. */
export interface WorkspaceState {
  readonly team: WorkspaceSeed["team"];
  /** Undefined for a workspace that belongs to none. */
  readonly enterprise: Enterprise | undefined;
  readonly app: InstalledApp;
  readonly manifest: AppManifest;
  readonly now: () => number;
  readonly ids: Ids;
  readonly signal: Signal;
  readonly people: People;
  readonly groups: UserGroups;
  readonly channels: Channels;
  readonly messages: Messages;
  readonly views: Views;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly limits: RateLimits;
  /** Where the workspace itself listens, without a trailing slash. */
  readonly baseUrl: () => string;
}

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
  const app = install(seed.team.id, ids);
  const bot = { id: app.botUserId, handle: "curfew", realName: manifest.name, isBot: true };
  const people = createPeople(seed, bot, now);
  return {
    team: seed.team,
    enterprise: seed.enterprise,
    app,
    manifest,
    now,
    ids,
    signal,
    people,
    groups: createUserGroups(seed, people, now),
    channels: createChannels(seed, people, app.botUserId, now),
    messages: createMessages(ids, signal),
    views: createViews(ids, now, signal),
    triggers: createTriggers(ids, now),
    responseUrls: createResponseUrls(ids, now, baseUrl, seed.team.id),
    limits: createRateLimits(options.rateLimits, now),
    baseUrl,
  };
}

function install(teamId: string, ids: Ids): InstalledApp {
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
