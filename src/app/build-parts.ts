import PQueue from "p-queue";
import { createChanges, type RunningChanges } from "../changes/changes.ts";
import { createConfigRequests } from "../changes/config-requests.ts";
import { createChangesAbout } from "../changes/queries/changes-about.ts";
import { lastProject } from "../changes/queries/last-project.ts";
import { createQueries } from "../changes/queries/queries.ts";
import { createReceipts } from "../changes/receipts.ts";
import { catalogue } from "../commands/catalogue.ts";
import type { SlackEnvironment } from "../config/environment.ts";
import { createSecretFiles } from "../config/secret-files.ts";
import type { Settings } from "../config/settings.ts";
import { createDirectory } from "../directory/action-directory.ts";
import { directoryOf } from "../directory/config-entities.ts";
import { createReadService, type ReadService } from "../directory/read-service.ts";
import { createPlacesOf } from "../directory/resource-places.ts";
import { atMostEvery } from "../jobs/at-most-every.ts";
import { createInstanceWatch } from "../jobs/instance-watch.ts";
import { createJobHandlers } from "../jobs/job-handlers.ts";
import { createJobWorker } from "../jobs/job-worker.ts";
import { createInFlight } from "../lifecycle/in-flight.ts";
import type { Health } from "../observability/health.ts";
import type { Logger } from "../observability/log.ts";
import type { Measure } from "../observability/metrics-when-ready.ts";
import type { Tracing } from "../observability/tracing.ts";
import { createOutbox, type OutboxTiming } from "../outbox/outbox.ts";
import type { ServiceClient } from "../service/client.ts";
import { browseOperation } from "../service/operations.ts";
import type { Action } from "../service/resources.ts";
import type { SlackConnection } from "../slack/connection/slack-connection.ts";
import type { SlackFetch } from "../slack/connection/slack-http.ts";
import { createHomes, publishHome } from "../slack/home/homes.ts";
import { createAccess } from "../slack/listeners/access.ts";
import type { ListenerPorts } from "../slack/listeners/listeners.ts";
import { createReplies } from "../slack/listeners/replies.ts";
import { createContextOf } from "../slack/listeners/request-context.ts";
import { resumeReceipts } from "../slack/listeners/resume-receipts.ts";
import { createRunCommand } from "../slack/listeners/run-command.ts";
import { createCardLink, createLinkTo } from "../slack/messages/cards/card-link.ts";
import { createConfigRequestCards } from "../slack/messages/cards/config-request-card.ts";
import { createExclusionReminders } from "../slack/messages/cards/exclusion-reminders.ts";
import { noticeMessage } from "../slack/messages/notices.ts";
import { createSender } from "../slack/messages/post-outbox-message.ts";
import { usageOf } from "../slack/messages/usage.ts";
import { type Actors, createActors } from "../slack/people/actors.ts";
import { createChannelMembers } from "../slack/people/channel-members.ts";
import { createFloodGuard } from "../slack/people/flood-guard.ts";
import { namedIn } from "../slack/people/named-in.ts";
import type { openStore, Store } from "../store/open-store.ts";
import type { Schedule } from "../time/timer.ts";
import { within } from "../time/within.ts";

export type AppEnvironment = Omit<SlackEnvironment, "kind" | "logLevel" | "secrets">;

export interface AppOverrides {
  readonly now?: () => number;
  /** A monotonic clock, in ms from any moment: how old something is, and how long it waits. */
  readonly elapsedMs?: () => number;
  readonly newId?: () => string;
  readonly service?: ServiceClient;
  /** For answers to people. */
  readonly fetch?: SlackFetch;
  readonly openStore?: typeof openStore;
  /** How often this instance shows that it is alive and looks after others. */
  readonly watchEveryMs?: number;
  readonly outbox?: OutboxTiming;
  /** When the progress notice is sent. */
  readonly progressSchedule?: Schedule;
}

/** The process's environment, the config in force, clocks and ids. */
export interface Core {
  readonly environment: AppEnvironment;
  readonly settings: () => Settings;
  readonly log: Logger;
  readonly now: () => number;
  readonly elapsedMs: () => number;
  readonly newId: () => string;
  readonly overrides: AppOverrides;
}

/** The resources that are open while the app runs. */
export interface Opened {
  readonly store: Store;
  readonly service: ServiceClient;
  readonly connection: SlackConnection;
  /** For answers to people. */
  readonly fetch: SlackFetch;
  readonly measure: Measure;
  readonly tracing: Tracing | undefined;
  readonly health: Health;
}

export type Parts = ReturnType<typeof buildParts>;

/** Builds every part from those before it: the pipeline, what people see in Slack, and the workers. */
export function buildParts(core: Core, opened: Opened) {
  const { environment, settings, log, now, elapsedMs, overrides } = core;
  const { store, connection, fetch, measure, tracing } = opened;
  const { client, lookUpClient, teamId } = connection;
  const { wake, add: addWorker } = createWake(tracing);
  const actors = createActors({ client: lookUpClient, teamId, ...namedIn(settings), elapsedMs, log });
  const channelMembers = createChannelMembers({ client: lookUpClient, elapsedMs, log });
  const { read, directory, changes, queries } = buildPipeline(core, opened, actors, wake);
  const outbox = buildOutbox(core, opened, actors, read);
  const { approvals, outcomes } = changes;
  const cards = createConfigRequestCards(client, log);
  const configRequests = createConfigRequests({ store, settings, now, log, cards });

  const { onCommand } = measure;
  const slashCommand = environment.command;
  const sources = { actors, channelMembers, directory, groups: store, read, settings, now, ...lookBack(store, now) };
  const contextOf = createContextOf(sources);
  const access = createAccess({ settings, approvals, onCommand });
  const contextFor = (userId: string, channelId: string | null) => contextOf({ userId, channelId, fromHome: true });
  const homeSources = { contextFor, channelMembers, queries, settings, slashCommand, client, log };
  const homes = createHomes({ publish: (userId) => publishHome(homeSources, userId), elapsedMs, log });
  const cardLink = createCardLink(store, createLinkTo({ client, log }));
  const runCommand = createRunCommand({ actors, queries, changes, approvals, outcomes, cardLink, now, onCommand, log });
  const noteAnswer = createNoteAnswer(core, store, wake);
  const receipts = createReceipts(store, log);
  const replies = createReplies({ client, fetch, homes, noteAnswer, receipts, log });
  const handling = new PQueue({ concurrency: maxHandled });
  const inFlight = createInFlight();
  const floodGuard = createFloodGuard(() => settings().limits.perPersonPerMinute, elapsedMs);
  const { progressSchedule, watchEveryMs } = overrides;
  const listenerPorts: ListenerPorts = {
    ...{ contextOf, access, runCommand, replies, actors, changes, configRequests, homes, settings },
    ...{ client, slashCommand, log, floodGuard, progressSchedule, now, receipts, handling },
    inFlight: tracing ? { ...inFlight, track: (work) => inFlight.track(() => tracing.request(work)) } : inFlight,
  };

  const handlers = createJobHandlers({ store, approvals, outcomes, refreshHomes: homes.refresh, now });
  const jobs = createJobWorker({ store, handlers, now, log, wakeOutbox: outbox.wake });
  addWorker(outbox);
  addWorker(jobs);
  const { onOutcome } = measure;
  const resume = () => inFlight.track(() => resumeReceipts({ ...listenerPorts, store }));
  const instanceWatch = createInstanceWatch(
    { store, settings, now, log, onOutcome, wake, instances: store, resume },
    watchEveryMs,
  );
  return {
    ...{ listenerPorts, wake, changes, receipts, outbox, jobs, homes, configRequests, instanceWatch, inFlight },
    configure: (next: Settings) => store.configure(directoryOf(next)),
    idle: async () => {
      await inFlight.idle();
      jobs.wake();
      await jobs.idle();
      await homes.idle();
      outbox.wake();
      await outbox.idle();
    },
    /** Never throws. */
    post: async (text: string, icon: string, channel: string) => {
      await client.chat
        .postMessage({ channel, ...noticeMessage(icon, text) })
        .catch((error: unknown) => log.warn({ err: error, channel }, "could not post a notice for operators"));
    },
  };
}

/** Far more than a busy minute has, so that requests that wait for a hanging look-up hold up nobody. */
const maxHandled = 150;

/** How often to look for messages that other instances queued, or left unfinished when they died. */
const pollMs = 3000;

function buildOutbox(
  { settings, log, now, elapsedMs, overrides }: Core,
  opened: Opened,
  actors: Actors,
  read: ReadService,
) {
  const { store, connection, tracing } = opened;
  const { client } = connection;
  const people = { actor: actors.actor, withEmail: (email: string) => actors.withEmail(email, "read") };
  const cardSources = { store, settings, actions: () => listedActions(read), ...people };
  const drawReminder = createExclusionReminders({ store, actor: actors.actor, settings, now, cardSources });
  const sender = createSender({ client, store, drawReminder, withEmail: actors.withEmail, cardSources, now });
  return createOutbox({
    pollMs: store.isShared ? pollMs : undefined,
    ...overrides.outbox,
    store,
    sender: tracing?.sender(sender) ?? sender,
    now,
    elapsedMs,
    log,
    linkTo: createLinkTo({ client, log }),
    requesterOf: async (changeId) => (await store.find(changeId))?.actor.userId,
    adminsChannel: () => settings().admins?.channel,
  });
}

const cardReadMs = 1500;

async function listedActions(read: ReadService): Promise<readonly Action[] | undefined> {
  // A card does not wait for a slow service: it can do without the next stop.
  const listed = await within(cardReadMs, read(browseOperation, {}));
  return listed?.kind === "succeeded" ? (listed.answer ?? undefined) : undefined;
}

/** The directory, changes and queries. */
function buildPipeline(core: Core, { store, service, measure }: Opened, actors: Actors, wake: () => void) {
  const { environment, settings, log, now, elapsedMs, newId } = core;
  const read = createReadService(service, store, elapsedMs, log);
  const placesOf = createPlacesOf({
    configGroups: () => settings().resourceGroups,
    savedGroups: store.groups,
    exclusionsNaming: store.exclusionsNaming,
  });
  const directory = createDirectory(store, read, placesOf);
  const secretFiles = createSecretFiles(environment.secretsDir);
  const actorOf = (userId: string) => actors.actor(userId, "change");
  const people = { idsIn: actors.idsIn, find: actors.find };
  const { onOutcome } = measure;
  const changes: RunningChanges = createChanges({
    ...{ store, directory, service, read, secretFiles, actorOf, people, withEmail: actors.withEmail },
    ...{ settings, now, newId, log, wake, onOutcome },
  });
  const withEmailToShow = (email: string) => actors.withEmail(email, "read");
  const helpFor = (command: Parameters<typeof usageOf>[1]) => usageOf(environment.command, command);
  const queries = createQueries({
    ...{ store, groups: store, read, actor: actors.actor, withEmail: withEmailToShow, planUndo: changes.planUndo },
    ...{ settings, now, newId, log, wake, helpFor, commands: catalogue },
  });
  return { read, directory, changes, queries };
}

/** What requests look up in earlier changes. */
const lookBack = (store: Store, now: () => number) => ({
  lastProject: (userId: string) => lastProject(store, userId, now()),
  changesAbout: createChangesAbout(store),
});

/** Notes that a person has the answer; a person whom the reply did not reach gets it by direct message. */
function createNoteAnswer({ now }: Core, store: Store, wake: () => void) {
  return async (changeId: string, userId: string, isNotified: boolean) => {
    if (isNotified) return store.answered(changeId, userId);
    await store.notifyNow(changeId, userId, now());
    wake();
  };
}

/** Changes that end at about the same time share one look at what is due. */
const wakeIntervalMs = 10;

/** Wakes all workers, soon rather than immediately: what serves many does not wait for each. */
function createWake(tracing: Tracing | undefined) {
  const workers: { wake(): void }[] = [];
  const wakeAll = () => {
    for (const worker of workers) worker.wake();
  };
  return {
    wake: atMostEvery(wakeIntervalMs, tracing ? () => tracing.apart(wakeAll) : wakeAll),
    add: (worker: { wake(): void }) => void workers.push(worker),
  };
}
