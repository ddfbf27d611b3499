import PQueue from "p-queue";
import { createCallerApi } from "../callers/caller-api.ts";
import { createTakeRequest } from "../callers/take-request.ts";
import { createChanges, type RunningChanges } from "../changes/changes.ts";
import { createConfigRequests } from "../changes/config-requests.ts";
import { createPlans } from "../changes/planned/plans.ts";
import { cardSubject, createChangesAbout, lastProject } from "../changes/queries/card-subject.ts";
import { createQueries } from "../changes/queries/queries.ts";
import { createReceipts } from "../changes/receipts.ts";
import { catalogue } from "../commands/catalogue.ts";
import { createSecretFiles } from "../config/secret-files.ts";
import { callerId, isWorkflows, type Settings } from "../config/settings.ts";
import { acrossAccounts } from "../directory/across-accounts.ts";
import { createDirectory, createPlacesOf } from "../directory/action-directory.ts";
import { createCalendars } from "../directory/calendars/calendars.ts";
import { directoryOf } from "../directory/config-entities.ts";
import { createReadService, type ReadService } from "../directory/read-service.ts";
import { createInstanceWatch } from "../jobs/instance-watch.ts";
import { createGiveUp, createJobHandlers } from "../jobs/job-handlers.ts";
import type { Worker } from "../jobs/worker.ts";
import { createJobWorker } from "../jobs/worker.ts";
import { createInFlight } from "../lifecycle.ts";
import { createOutbox } from "../outbox.ts";
import { browseOperation } from "../service/operations.ts";
import type { Action } from "../service/resources.ts";
import type { SlackConnection } from "../slack/connection/slack-connection.ts";
import { createHomes, createPublishHome, type Homes } from "../slack/home/homes.ts";
import { createAccess } from "../slack/listeners/access.ts";
import type { Deps } from "../slack/listeners/deps.ts";
import { createKnownNames } from "../slack/listeners/line/known-names.ts";
import { createReplies } from "../slack/listeners/replies.ts";
import { createContextOf } from "../slack/listeners/request-context.ts";
import { resumeReceipts } from "../slack/listeners/resume-receipts.ts";
import { createRunCommand } from "../slack/listeners/run-command.ts";
import { createDrawBulletin } from "../slack/messages/bulletins.ts";
import { createCardLink, createLinkTo, createThreadLink } from "../slack/messages/cards/card-context.ts";
import { createConfigRequestCards } from "../slack/messages/cards/config-request-card.ts";
import { createExclusionReminders } from "../slack/messages/cards/exclusion-reminders.ts";
import { noticeOfLines } from "../slack/messages/notices.ts";
import { createSender } from "../slack/messages/post-outbox-message.ts";
import type { Icon } from "../slack/messages/text.ts";
import { usageOf } from "../slack/messages/usage.ts";
import { type Actors, createActors } from "../slack/people/actors.ts";
import {
  type ChannelMembers,
  createChannelMembers,
  createClosedChannels,
  type IsClosed,
} from "../slack/people/channel-members.ts";
import { createFloodGuard } from "../slack/people/flood-guard.ts";
import { isOrganization, namedIn } from "../slack/people/group-members.ts";
import { createStepEnds } from "../slack/workflows/step-ending.ts";
import type { Store } from "../store/open-store.ts";
import { within } from "../time/within.ts";
import { createWatcher } from "../watch/watcher.ts";
import type { Core, Opened } from "./core.ts";

export type Parts = ReturnType<typeof buildParts>;

/** Builds every part from those before it: the pipeline, what people see in Slack, and the workers. */
export function buildParts(core: Core, opened: Opened) {
  const { environment, settings, config, log, now, elapsedMs, overrides } = core;
  const { store, connection, fetch, measure, tracing, audit } = opened;
  const { client, lookUpClient, teamId } = connection;
  const lookUp = { client: lookUpClient, teamId, teams: () => settings().teams, elapsedMs, log };
  const shared = store.peopleList && { list: store.peopleList, secret: () => environment.slack.botToken };
  const actors = createActors({ ...lookUp, ...namedIn(settings), shared, zoneOfProgram: zoneOfProgram(settings) });
  const channelMembers = createChannelMembers(lookUp);
  const { read, directory, changes, queries, names } = buildPipeline(core, opened, actors);
  const isClosed = createClosedChannels({ ...lookUp, actors });
  const outbox = buildOutbox(core, opened, { actors, channelMembers, isClosed, read });
  const { approvals, outcomes } = changes;
  const cards = createConfigRequestCards(client, log);
  const configRequests = createConfigRequests({ store, settings, now, log, cards, audit, config });

  const { onCommand } = measure;
  const slashCommand = environment.command;
  const notices = createNotices(core, connection);
  const calendars = calendarsOf(core, notices.report);
  const { requestOf } = approvals;
  const looks = { calendars, records: store, requestOf, ...lookBack(store, now) };
  const sources = { actors, channelMembers, directory, groups: store, read, settings, now, ...looks };
  const contextOf = createContextOf(sources);
  const access = createAccess({ settings, approvals, onCommand, onRefused: audit.refused, log });
  const contextFor = (userId: string, channelId: string | null) => contextOf({ userId, channelId, fromHome: true });
  const homeSources = { contextFor, channelMembers, queries, settings, slashCommand, client, log };
  const homes = createHomes({ publish: createPublishHome(homeSources), elapsedMs, log });
  const cardLink = createCardLink(store, createLinkTo({ client, log }));
  const acting = { contextOf, channelMembers, settings };
  const handled = { actors, queries, changes, approvals, outcomes, cardLink };
  const runCommand = createRunCommand({ ...handled, ...acting, now, onCommand, onRefused: audit.refused, log });
  const noteAnswer = createNoteAnswer(core, store);
  const receipts = createReceipts(store, log);
  const replies = createReplies({ client, fetch, homes, noteAnswer, receipts, log });
  const handling = new PQueue({ concurrency: maxHandled });
  const inFlight = createInFlight();
  const floodGuard = createFloodGuard(() => settings().limits.perPersonPerMinute, elapsedMs, audit.limited);
  const { progressSchedule } = overrides;
  const deps: Deps = {
    ...{ contextOf, access, runCommand, replies, actors, channelMembers, changes, configRequests, homes, settings },
    ...{ client, slashCommand, log, floodGuard, progressSchedule, now, receipts, handling },
    ...stepPorts(core, store, teamId),
    cardSubject: (channelId, ts) => cardSubject(store, channelId, ts),
    names,
    inFlight: tracing ? { ...inFlight, track: (work) => inFlight.track(() => tracing.request(work)) } : inFlight,
  };

  const lines = { ...deps, handling: createCallerQueue() };
  const requests = createTakeRequest({ store, lines, actors, now, log });
  const limited = { floodGuard, inFlight, onBadToken: audit.badToken };
  const callerApi = createCallerApi({ callers: () => settings().callers, requests, ...limited, log });
  const { replyLater: replyToProgram } = requests;
  const resume = () => inFlight.track(() => resumeReceipts({ ...deps, store, replyToProgram }));
  const { jobs, watcher, instanceWatch, wake } = buildWorkers(core, opened, {
    ...{ actors, read, changes, homes, outbox, resume },
  });
  return {
    ...{ deps, teamId, wake, changes, receipts, outbox, jobs, homes, configRequests, inFlight },
    ...{ instanceWatch, watcher, calendars, callerApi, ...notices },
    schedule: store.schedule,
    configure: (next: Settings) => store.configure(directoryOf(next)),
    idle: idleAfter([inFlight, jobs, watcher, homes, outbox, audit]),
  };
}

/** The zone of a caller or of workflows, else that of its channel. */
const zoneOfProgram = (settings: () => Settings) => (id: string) => {
  const { callers, channels, workflows } = settings();
  const program = isWorkflows(id) ? workflows : callers.find((each) => callerId(each) === id);
  return program?.zone ?? channels[program?.channel ?? ""]?.zone ?? "UTC";
};

/** What the steps of workflows need. */
const stepPorts = ({ settings, now }: Core, store: Store, teamId: () => string) => ({
  stepEnds: createStepEnds({ store, now }),
  workflows: () => settings().workflows,
  isOurTeam: (id: string) => settings().teams?.has(id) ?? (isOrganization(teamId()) || id === teamId()),
});

/** Waits for each in this order. What can be woken looks for work once more before that. */
function idleAfter(workers: readonly { idle(): Promise<void>; wake?(): void }[]) {
  return async (): Promise<void> => {
    for (const worker of workers) {
      worker.wake?.();
      await worker.idle();
    }
  };
}

/** Notices for operators: in a channel, or of a problem in the log and the admins' channel. They never throw. */
function createNotices({ settings, log }: Core, { client }: SlackConnection) {
  const post = async (text: string, icon: Icon, channel: string): Promise<void> => {
    await client.chat
      .postMessage({ channel, ...noticeOfLines(icon, text.split("\n")) })
      .catch((error: unknown) => log.warn({ err: error, channel }, "could not post a notice for operators"));
  };
  const postToAdmins = async (text: string, icon: Icon): Promise<void> => {
    const channel = settings().admins?.channel;
    if (channel !== undefined) await post(text, icon, channel);
  };
  const report = (text: string): Promise<void> => {
    log.error({ problem: text }, "an operator must solve a problem");
    return postToAdmins(text, ":wrench:");
  };
  return { post, report, reportMended: (text: string) => postToAdmins(text, ":white_check_mark:") };
}

function calendarsOf({ environment, settings, now }: Core, report: (text: string) => Promise<void>) {
  const { configFile } = environment;
  const onProblem = (text: string) => void report(text);
  return createCalendars({ sources: () => settings().calendars, configFile, now, onProblem });
}

/** Far more than a busy minute has, so that requests that wait for a hanging look-up hold up nobody. */
const maxHandled = 150;

/** Slack's requests never wait behind those of callers. */
const createCallerQueue = () => new PQueue({ concurrency: maxHandled / 5 });

/** The directory, changes and queries. */
function buildPipeline(core: Core, { store, service, measure }: Opened, actors: Actors) {
  const { environment, settings, config, log, now, elapsedMs, newId } = core;
  let listed: readonly Action[] = [];
  const read = createReadService(service, store, elapsedMs, log, (actions) => {
    listed = actions;
  });
  const placesOf = createPlacesOf({
    configGroups: () => settings().resourceGroups,
    savedGroups: store.groups,
    exclusionsNaming: store.exclusionsNaming,
    machines: core.machines,
  });
  const known = createDirectory(store, read, placesOf, core.machines);
  const { accounts } = settings();
  const directory = Object.keys(accounts).length > 0 ? acrossAccounts(known, accounts) : known;
  const secretFiles = createSecretFiles(environment.secretsDir);
  const actorOf = (userId: string) => actors.actor(userId, "change");
  const people = { idsIn: actors.idsIn, find: actors.find };
  const { onOutcome } = measure;
  const changes: RunningChanges = createChanges({
    ...{ store, directory, service, read, secretFiles, actorOf, people, withEmail: actors.withEmail },
    ...{ settings, now, newId, log, onOutcome },
  });
  const withEmailToShow = (email: string) => actors.withEmail(email, "read");
  const helpFor = (command: Parameters<typeof usageOf>[1]) => usageOf(environment.command, command);
  const queries = createQueries({
    ...{ store, groups: store, read, actor: actors.actor, withEmail: withEmailToShow, planUndo: changes.planUndo },
    ...{ settings, config: config.state, now, newId, log, helpFor, commands: catalogue },
  });
  const actions = { last: () => listed, list: () => read(browseOperation, {}) };
  const names = createKnownNames({ known: store, actions, settings, now, log });
  return { read, directory, changes, queries, names };
}

/** What requests look up in earlier changes. */
const lookBack = (store: Store, now: () => number) => ({
  lastProject: (userId: string) => lastProject(store, userId, now()),
  changesAbout: createChangesAbout(store),
  plans: createPlans(store),
});

/** Notes that a person has the answer; a person whom the reply did not reach gets it by direct message. */
const createNoteAnswer =
  ({ now }: Core, store: Store) =>
  (changeId: string, userId: string, isNotified: boolean) =>
    isNotified ? store.answered(changeId, userId) : store.notifyNow(changeId, userId, now());

export interface WorkerSources {
  readonly actors: Actors;
  readonly read: ReadService;
  readonly changes: Pick<RunningChanges, "approvals" | "outcomes">;
  readonly homes: Pick<Homes, "refresh">;
  readonly outbox: Worker;
  /** Settles the requests that dead instances had received and not begun. */
  readonly resume: () => Promise<void>;
}

/** What works beside the requests of people: scheduled jobs, the watch of the service's actions, and that of other instances. */
export function buildWorkers(
  { settings, useMachines, log, now, elapsedMs, overrides }: Core,
  { store, measure, whole, onSilent }: Opened,
  { actors, read, changes, homes, outbox, resume }: WorkerSources,
) {
  const { onOutcome, onPoll } = measure;
  const { approvals, outcomes } = changes;
  const zoneOf = createZoneOf(settings, actors);
  const watchRead = whole ? createReadService(whole, store, elapsedMs, log) : read;
  const watcher = createWatcher({ store, read: watchRead, settings, now, log, zoneOf, onPoll, onSilent });
  const digest = { store, settings, person: actors.find, actions: () => listedActions(read) };
  const ofJobs = { approvals, outcomes, refreshHomes: homes.refresh, retention: () => settings().retention };
  const handlers = createJobHandlers({ store, ...ofJobs, now, digest });
  const giveUp = createGiveUp({ approvals, now, digest });
  const jobs = createJobWorker({ store, handlers, giveUp, now, log, pollMs: pollMsOf(store) });
  const wake = () => {
    for (const worker of [outbox, jobs]) worker.wake();
  };
  const refresh = async () => {
    if (useMachines(await store.machines())) await approvals.withdrawOutdated();
  };
  const instanceWatch = createInstanceWatch(
    { store, settings, now, log, onOutcome, instances: store, resume, refresh },
    overrides.heartbeatEveryMs,
  );
  return { watcher, jobs, instanceWatch, wake };
}

/** The zone of a channel, or of a person as Slack says. */
function createZoneOf(settings: () => Settings, actors: Pick<Actors, "find">) {
  return async (to: string): Promise<string> =>
    settings().channels[to]?.zone ??
    (/^[UW]/.test(to) ? await actors.find(to).catch(() => undefined) : undefined)?.timeZone ??
    "UTC";
}

/** How often to look for work that other instances queued, or left unfinished when they died. */
const pollMsOf = ({ isShared }: Store) => (isShared ? 3000 : undefined);

interface OutboxParts {
  readonly actors: Actors;
  readonly channelMembers: ChannelMembers;
  readonly isClosed: IsClosed;
  readonly read: ReadService;
}

/** Sends the queued messages. */
export function buildOutbox(
  { settings, log, now, elapsedMs, overrides }: Core,
  opened: Opened,
  { actors, channelMembers, isClosed, read }: OutboxParts,
) {
  const { store, connection, tracing } = opened;
  const { client } = connection;
  const people = { actor: actors.actor, withEmail: (email: string) => actors.withEmail(email, "read") };
  const linkTo = createLinkTo({ client, log });
  const threadLink = createThreadLink(linkTo);
  const cardSources = { store, settings, threadLink, actions: () => listedActions(read), ...people };
  const drawReminder = createExclusionReminders({ store, actor: actors.actor, settings, now, cardSources });
  const drawBulletin = createDrawBulletin({
    ...{ store, settings, channelMembers, actor: actors.actor },
    zoneOf: (channelId) => settings().channels[channelId]?.zone ?? "UTC",
  });
  const { withEmail } = actors;
  const cardLink = createCardLink(store, linkTo);
  const sender = createSender({
    ...{ client, store, drawReminder, drawBulletin, withEmail, cardSources, cardLink, isClosed, now },
  });
  return createOutbox({
    pollMs: pollMsOf(store),
    ...overrides.outbox,
    store,
    sender: tracing?.sender(sender) ?? sender,
    now,
    elapsedMs,
    log,
    linkTo,
    requesterOf: async (changeId) => (await store.find(changeId))?.actor.userId,
    adminsChannel: () => settings().admins?.channel,
  });
}

const cardReadMs = 1500;

/** The service's actions; undefined if it does not list them soon. */
export async function listedActions(read: ReadService): Promise<readonly Action[] | undefined> {
  // A card does not wait for a slow service: it can do without the next stop.
  const listed = await within(cardReadMs, read(browseOperation, {}));
  return listed?.kind === "succeeded" ? (listed.answer ?? undefined) : undefined;
}
