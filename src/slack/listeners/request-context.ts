import type { Approvals } from "../../changes/approvals/decide-approval.ts";
import { rightsOf } from "../../changes/authorize/decide-change.ts";
import { hoursAhead } from "../../changes/hours/hours-ahead.ts";
import type { ExclusionRecords } from "../../changes/hours/kept-running.ts";
import type { ChangeSettings, GroupStore } from "../../changes/ports.ts";
import { mayAskFor, mayName } from "../../changes/queries/queries.ts";
import type { Command, CommandContext, FillContext, Thread } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import { namedIds } from "../../commands/exclusion/exclusion-body.ts";
import { groupTarget } from "../../commands/exclusion/resource-context.ts";
import {
  type Entity,
  type EntityKind,
  isOfKind,
  oneLookEach,
  type PlacedDirectory,
  type ResourceGroup,
} from "../../directory/directory.ts";
import { allGroups, type Groups, someGroups } from "../../directory/group-index.ts";
import { type ReadService, readFor } from "../../directory/read-service.ts";
import { type Actor, isProgram } from "../../permissions/actor.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { channelsHeld, hasGroups } from "../../permissions/policy.ts";
import { accountOf } from "../../service/account-ids.ts";
import { browseOperation } from "../../service/operations.ts";
import type { ReadingContext } from "../fields/field-kind.ts";
import { isDirect } from "../messages/button.ts";
import type { Message } from "../messages/message.ts";
import type { Outcome } from "../messages/outcome-message.ts";
import type { Actors } from "../people/actors.ts";
import type { ChannelMembers } from "../people/channel-members.ts";
import { type Purpose, SlackSilentError } from "../people/look-up.ts";
import type { Acknowledgement } from "./acknowledgement.ts";

/** Where a request came from and where its answer goes. */
export interface Origin {
  readonly userId: string;
  readonly channelId: string | null;
  /** The thread in which it was asked for. */
  readonly askedIn?: Thread | undefined;
  /** Asked on the Home tab, in the name of that channel: it counts only while the requester is in it. */
  readonly fromHome?: boolean | undefined;
  readonly responseUrl: string | undefined;
  /** Where a request without a response URL was written. */
  readonly place?: Place | undefined;
  /** When it was read, by `performance.now`. */
  readonly arrivedAt: number;
  readonly acknowledgement?: Acknowledgement | undefined;
  /** The receipt of a request that may change something. */
  readonly receiptId?: string | undefined;
  /** Whether another instance would handle it after a crash. */
  readonly isResumable?: boolean | undefined;
  /** Called when a change has taken the receipt's place. */
  readonly onRecorded?: (() => void) | undefined;
  /** Whether a change has taken the receipt's place. An answer about an earlier change leaves it. */
  readonly isRecorded?: (() => boolean) | undefined;
  /** Called when an answer could not be given in any way. */
  readonly onUnanswered?: (() => void) | undefined;
  readonly progress?: ProgressNotice | undefined;
  /** Takes the answer where a program asks. */
  readonly program?: ReplyToProgram | undefined;
}

/** A place in Slack where a message was written, and where its answer belongs. */
export interface Place {
  readonly channelId: string;
  /** The thread in which it is a reply. */
  readonly threadTs: string | undefined;
  /** Only the requester and Curfew read there. */
  readonly isDirect: boolean;
}

/** The notice for a requester who waits. */
export interface ProgressNotice {
  /** Cancels the notice. Resolves when a started one is sent, so that it never comes after the answer. */
  stop(): Promise<void>;
}

/** What kind of answer a message is, for a program, which cannot read it. */
export type ReplyDetail =
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "refused" }
  | ({ readonly kind: "question" } & Question)
  /** Nothing was done, and the same request may work in a moment. */
  | { readonly kind: "not-now" }
  /** Another instance does it and answers. */
  | { readonly kind: "taken-over" }
  /** Nothing was done, and the same request is not tried again. */
  | { readonly kind: "not-done" }
  | { readonly kind: "error" };

/** What a line lacks. */
export interface Question {
  readonly missing?: readonly string[];
  readonly problems?: Readonly<Record<string, string>>;
  /** What must be confirmed. */
  readonly confirm?: string | undefined;
}

/** Takes the answer to a program, in place of Slack. */
export type ReplyToProgram = (message: Message, detail: ReplyDetail) => Promise<void>;

/** The requester, where they asked, and the look-ups made for them. */
export interface RequestContext extends ReadingContext {
  /** The line that was typed, with the slash command; undefined for other requests. */
  readonly typed?: string | undefined;
  /** The answer is shown outside the channel. */
  readonly fromHome?: boolean | undefined;
  /** One of several things in one line: its answer stands beside the others, so it says what was done. */
  readonly isOneOfSeveral?: boolean | undefined;
}

/** Builds the context of a request. Throws if Slack cannot say who the person is. */
export type ContextOf = (
  origin: Pick<Origin, "userId" | "channelId" | "askedIn" | "fromHome" | "receiptId" | "onRecorded">,
  purpose?: Purpose,
) => Promise<RequestContext>;

type Asked = Pick<Origin, "userId" | "channelId" | "fromHome">;

export interface ContextSources {
  readonly actors: Actors;
  readonly channelMembers: Pick<ChannelMembers, "has">;
  readonly directory: PlacedDirectory;
  readonly groups: Pick<GroupStore, "groups">;
  readonly read: ReadService;
  /** The project of this person's latest exclusion within a day. */
  readonly lastProject?: ((slackUserId: string) => Promise<string | undefined>) | undefined;
  readonly changesAbout?: CommandContext["changesAbout"];
  readonly requestOf?: Approvals["requestOf"];
  readonly records?: ExclusionRecords | undefined;
  readonly plans?: CommandContext["plans"];
  readonly calendars?: CommandContext["calendars"];
  readonly settings: () => ChangeSettings;
  readonly now: () => number;
}

export function createContextOf({
  actors,
  channelMembers,
  directory: whole,
  groups,
  read,
  settings,
  now,
  lastProject,
  changesAbout,
  requestOf,
  records,
  plans,
  calendars,
}: ContextSources): ContextOf {
  /** Nobody gets the rights of a channel by naming it. */
  const channelOf = async ({ userId, channelId, fromHome }: Asked, purpose: Purpose): Promise<string | null> => {
    if (channelId === null || !fromHome) return channelId;
    return (await channelMembers.has(channelId, userId, purpose)) ? channelId : null;
  };
  /** In a direct message one has the rights of one's channels. Those of which Slack does not say who is in them give none. */
  const withChannels = async (actor: Actor, channelId: string | null, purpose: Purpose): Promise<Actor> => {
    if (channelId === null || !isDirect(channelId)) return actor;
    const held = channelsHeld(settings().policy, actor).slice(0, maxChannels);
    const isIn = await Promise.all(held.map((id) => channelMembers.has(id, actor.userId, purpose).catch(orSilent)));
    const inChannels = held.filter((_id, index) => isIn[index]);
    return inChannels.length > 0 ? { ...actor, inChannels } : actor;
  };
  return async (origin, purpose = "read") => {
    const { userId, receiptId, onRecorded, askedIn } = origin;
    const [found, saved, channelId] = await Promise.all([
      actors.actor(userId, purpose),
      groups.groups(),
      channelOf(origin, purpose),
    ]);
    const actor = await withChannels(found, channelId, purpose);
    const currentSettings = settings();
    const directory = oneLookEach(whole);
    const may = rightsOf(currentSettings, actor, channelId);
    // Where they may ask others, they may name what they could use in their own channels.
    const isAskable = mayAskFor(currentSettings, exclusionCreate, actor);
    const channels = [channelId, ...(isAskable ? channelsHeld(currentSettings.policy, actor) : [])];
    const mays = channels.map((channel) => rightsOf(currentSettings, actor, channel));
    const context: RequestContext = {
      actor,
      channelId,
      askedIn,
      fromHome: origin.fromHome,
      directory,
      settings: {
        ...currentSettings,
        resourceGroups: visibleGroups(allGroups(saved, currentSettings.resourceGroups), mays),
      },
      now: now(),
      read: readFor(read, userId),
      may,
      emailOf: (id) => actors.emailOf(id),
      nameOf: (id) => nameOf(actors, id),
      ...createNaming({ settings: currentSettings, actor, channelId, directory, may }),
      receiptId,
      onRecorded,
      changesAbout,
      requestOf: requestOf && ((id, verdict) => requestOf(id, verdict, { actor, channelId })),
      plans,
      calendars,
      // The same line of a program always means the same.
      lastProject: lastProject && !isProgram(userId) ? () => lastProject(userId) : undefined,
      hoursAhead: records && ((...change) => hoursAhead(currentSettings, records, ...change, context)),
    };
    return context;
  };
}

/** Slack is asked who is in each. */
const maxChannels = 10;

function orSilent(error: unknown): boolean {
  if (error instanceof SlackSilentError) return false;
  throw error;
}

/** A name is only for show, so nothing fails without it. */
async function nameOf(actors: Actors, userId: string): Promise<string | undefined> {
  const person = await actors.actor(userId).catch(() => undefined);
  return person?.name;
}

/** The groups that the requester may read, or use in an exclusion. */
function visibleGroups(groups: Groups, mays: readonly FillContext["may"][]): Groups {
  const isReadable = cached((projectId: string) => mays.some((may) => may(browseOperation, { projectId })));
  const isUsable = (group: ResourceGroup) => mays.some((may) => may(exclusionCreate.operation, groupTarget(group)));
  return someGroups(groups, (group) => isReadable(group.project) || isUsable(group));
}

export interface NamingSources
  extends Pick<CommandContext, "actor" | "channelId" | "directory">,
    Pick<FillContext, "may"> {
  readonly settings: Pick<ChangeSettings, "policy">;
}

/** Which entities may be named to a requester, and which of them they could use. */
export function createNaming(sources: NamingSources): Pick<ReadingContext, "nameable" | "usable"> {
  const { settings, actor } = sources;
  return {
    nameable: (entities, command) => nameable(sources, entities, command),
    usable: (entities, command) => {
      const usable = entities.filter((entity) => {
        const isOwn = entity.kind === "exclusion" ? entity.ownerId === actor.userId : undefined;
        const { projectId } = entity;
        const facts = {
          account: accountOf(entity.id),
          projectId: projectId ?? undefined,
          isOwn,
          ...machinesOf(entity),
        };
        return mayName(settings, command, sources, facts);
      });
      return usable.length > 0 ? usable : entities;
    },
  };
}

/** Entities in projects for which the requester could use the command; actions only if they may list them. */
async function nameable<K extends EntityKind>(
  sources: NamingSources,
  entities: readonly Entity<K>[],
  command: Command,
): Promise<readonly Entity<K>[]> {
  const { settings, directory, may } = sources;
  const planOf = cached((id: string) => directory.get("plan", id));
  const projects = await Promise.all(entities.map((entity) => projectOf(entity, planOf)));
  const isAskable = mayAskFor(settings, command, sources.actor);
  const isNameable = cached((projectId: string) => mayName(settings, command, sources, { projectId }));
  const isInAccount = cached((account: string) => mayName(settings, command, sources, { account }));
  const isByGroup = hasGroups(settings.policy);
  const isReadable = cached((projectId: string | undefined) =>
    may(browseOperation, { projectId: projectId ?? unknownProject }),
  );
  return entities.filter((entity, index) => {
    const { kind } = entity;
    const projectId = projects[index];
    // Who may ask for something about users may name them. What is in a project stays hidden with it.
    if (isAskable && (kind === "user" || kind === "policy")) return true;
    if (isByGroup && kind === "exclusion")
      return mayName(settings, command, sources, { projectId, ...machinesOf(entity) });
    return (
      (projectId ? isNameable(projectId) : isInAccount(accountOf(entity.id))) &&
      (kind !== "action" || isReadable(projectId))
    );
  });
}

const machinesOf = (entity: Entity) => (isOfKind(entity, "exclusion") ? { resourceIds: namedIds(entity.body) } : {});

/** Caches results: many entities share a few projects, and many selectors a few plans. */
function cached<Given, Found>(find: (given: Given) => Found): (given: Given) => Found {
  const found = new Map<Given, Found>();
  return (given) => {
    const answer = found.get(given) ?? find(given);
    found.set(given, answer);
    return answer;
  };
}

/** A selector belongs to its plan's project. */
async function projectOf(
  { projectId, body }: Entity,
  planOf: (id: string) => Promise<Entity | undefined>,
): Promise<string | undefined> {
  const planId = "planId" in body && typeof body.planId === "string" ? body.planId : undefined;
  const plan = projectId === null && planId !== undefined ? await planOf(planId) : undefined;
  return projectId ?? plan?.projectId ?? undefined;
}
