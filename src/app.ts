import { randomBytes } from "node:crypto";
import { type ChangePorts, createChanges } from "./changes/changes.ts";
import { createDirectory } from "./changes/directory.ts";
import { learned } from "./changes/learn.ts";
import type { Learned } from "./changes/ports.ts";
import { createQueries } from "./changes/queries.ts";
import { createReadService } from "./changes/read-service.ts";
import { recover } from "./changes/recover.ts";
import { catalogue } from "./commands/catalogue.ts";
import type { SlackEnvironment } from "./config/environment.ts";
import { createSecretFiles } from "./config/secret-files.ts";
import type { Settings } from "./config/settings.ts";
import { createHealth } from "./health.ts";
import { createDeliveries } from "./jobs/deliveries.ts";
import type { Logger } from "./log.ts";
import { createReleases } from "./releases.ts";
import { createServiceClient, type ServiceClient } from "./service/client.ts";
import { createActors } from "./slack/actors.ts";
import { createAnnouncer } from "./slack/announcer.ts";
import type { Desk } from "./slack/desk.ts";
import { createFloodGuard } from "./slack/flood-guard.ts";
import { createHomes } from "./slack/home/homes.ts";
import { publishHome } from "./slack/home/publish-home.ts";
import { createInFlight } from "./slack/in-flight.ts";
import { registerListeners } from "./slack/listeners.ts";
import { later } from "./slack/open-form.ts";
import { connectSlack } from "./slack/slack-connection.ts";
import { usageOf } from "./slack/usage.ts";
import { openStore } from "./store/open-store.ts";

/** How long what is under way may take before it is kept from repeating calls to the service. */
const finishMs = 10_000;

export interface AppOverrides {
  readonly now?: () => number;
  readonly newId?: () => string;
  readonly service?: ServiceClient;
  readonly fetch?: typeof fetch;
}

export interface App {
  /** Starts everything; gives the port listened on. After a failed start everything opened is closed again. */
  start(): Promise<{ readonly port: number }>;
  /** Resolves when nothing that was asked for is under way, and nothing is being announced. */
  idle(): Promise<void>;
  /** Takes nothing new, finishes what is under way, and closes what was opened, last first. */
  stop(): Promise<void>;
}

/** The composition root: makes every part and gives each what it needs. Does nothing before `start`. */
export function buildApp(
  environment: Omit<SlackEnvironment, "kind" | "logLevel" | "secrets">,
  settings: Settings,
  log: Logger,
  overrides: AppOverrides = {},
): App {
  const { now = Date.now, newId = newChangeId, fetch = globalThis.fetch } = overrides;
  const releases = createReleases();
  const health = createHealth();
  const inFlight = createInFlight();
  let idle = inFlight.idle;

  const start = async () => {
    const store = await openStore(environment.databaseFile);
    releases.add(() => store.close());
    await store.remember(directoryOf(settings));

    const service = overrides.service ?? createServiceClient(environment.service);
    releases.add(() => service.close());

    const connection = await connectSlack({ ...environment, ...environment.slack, routes: health.routes, log });
    const { client, teamId } = connection;
    const deliveries = createDeliveries({
      store,
      announcer: createAnnouncer({ client, store }),
      now,
      log,
      askerOf: async (changeId) => (await store.find(changeId))?.actor.userId,
      adminsChannel: () => settings.admins?.channel,
    });
    const read = createReadService(service, store, now);
    const actors = createActors({ client, teamId, groupIds: () => groupIdsOf(settings), now, log });
    const ports: ChangePorts = {
      store,
      service,
      read,
      secretFiles: createSecretFiles(environment.secretsDir),
      settings: () => settings,
      now,
      newId,
      log,
      kick: deliveries.kick,
    };
    const known = createDirectory(store, read);
    const homes = createHomes({ publish: (userId) => publishHome(desk, userId), now, log });
    const changes = createChanges(ports);
    const desk: Desk = {
      read,
      client,
      actors,
      changes,
      queries: createQueries({
        store,
        groups: store,
        planUndo: changes.planUndo,
        settings: () => settings,
        read,
        actor: actors.actor,
        helpFor: (command) => usageOf(environment.command, command),
        commands: catalogue,
      }),
      known,
      groups: store,
      settings: () => settings,
      tellLater: async (changeId, userId) => {
        await store.queue([{ changeId, kind: "tell", to: userId, underChangeId: null }], now());
        deliveries.kick();
      },
      homes,
      floodGuard: createFloodGuard(() => settings.limits.perPersonPerMinute, now),
      slashCommand: environment.command,
      now,
      fetch,
      log,
    };
    idle = async () => {
      await inFlight.idle();
      await homes.idle();
      await deliveries.idle();
    };
    registerListeners(connection.app, { desk, inFlight });

    await recover(ports);
    deliveries.kick();
    releases.add(() => deliveries.stop());
    releases.add(() => homes.stop());
    releases.add(async () => {
      await Promise.race([inFlight.idle(), later(finishMs)]);
      // From here on the service is asked nothing again; what is on its way is still awaited.
      await service.close();
      await inFlight.idle();
    });
    releases.add(() => connection.stop());
    const port = await connection.start();
    health.setReady(true);
    releases.add(async () => health.setReady(false));
    return { port };
  };

  return {
    start: async () => {
      try {
        return await start();
      } catch (error) {
        await releases.run();
        throw error;
      }
    },
    idle: () => idle(),
    stop: () => releases.run(),
  };
}

/** Short enough to be typed, and never the same twice: 45 random bits in letters and digits that are not mistaken for each other. */
function newChangeId(): string {
  const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  return `chg-${[...randomBytes(9)].map((byte) => alphabet[byte % alphabet.length]).join("")}`;
}

/** What the config says of the service's things; what the service itself said of them counts for more. */
function directoryOf({ directory }: Settings): readonly Learned[] {
  const things = [
    ...directory.users.map(({ id, name, email, mfaType }) =>
      learned("user", { userId: id, username: name, emailAddress: email, mfaType }),
    ),
    ...directory.projects.map(({ id, name }) => learned("project", { projectId: id, name })),
    ...directory.credentials.map(({ id, name, project, cloudProviderSubTypeId }) =>
      learned("credential", { credentialId: id, name, cloudProviderSubTypeId, projectId: project }),
    ),
    ...directory.policies.map(({ id, name }) => learned("policy", { managedPolicyId: id, name })),
    ...directory.plans.map(({ id, name, project }) => learned("plan", { planId: id, name, projectId: project })),
    ...directory.selectors.map(({ id, name, plan }) => learned("selector", { selectorId: id, name, planId: plan })),
  ];
  return things.flatMap((thing) => (thing ? [{ ...thing, weak: true as const }] : []));
}

function groupIdsOf({ policy }: Settings): readonly string[] {
  const members = policy.roles.flatMap((role) => [...role.members]);
  return [...new Set(members.filter((id) => id.startsWith("S")))];
}
