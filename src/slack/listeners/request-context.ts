import { rightsOf } from "../../changes/authorize/rights-of.ts";
import type { ChangeSettings, GroupStore } from "../../changes/ports.ts";
import type { FillContext } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import type { PlacedDirectory } from "../../directory/directory.ts";
import { type ReadService, readFor } from "../../directory/read-service.ts";
import { browseOperation } from "../../service/operations.ts";
import type { ReadingContext } from "../fields/field-kind.ts";
import type { Actors } from "../people/actors.ts";
import type { Purpose } from "../people/look-up.ts";
import type { Acknowledgement } from "./acknowledgement.ts";
import { createNaming } from "./naming.ts";
import type { ProgressNotice } from "./responder.ts";

/** Where a request came from and where its answer goes. */
export interface Origin {
  readonly userId: string;
  readonly channelId: string | null;
  readonly responseUrl: string | undefined;
  /** When it was read, by `performance.now`. */
  readonly arrivedAt: number;
  readonly acknowledgement?: Acknowledgement | undefined;
  /** The receipt of a request that may change something. */
  readonly receiptId?: string | undefined;
  /** Whether another instance would handle it after a crash. */
  readonly isResumable?: boolean | undefined;
  /** Called when a change has taken the receipt's place. */
  readonly onRecorded?: (() => void) | undefined;
  /** Called when an answer could not be given in any way. */
  readonly onUnanswered?: (() => void) | undefined;
  readonly progress?: ProgressNotice | undefined;
}

/** The requester, where they asked, and the look-ups made for them. */
export type RequestContext = ReadingContext;

/** Builds the context of a request. Throws if Slack cannot say who the person is. */
export type ContextOf = (
  origin: Pick<Origin, "userId" | "channelId" | "receiptId" | "onRecorded">,
  purpose?: Purpose,
) => Promise<RequestContext>;

export interface ContextSources {
  readonly actors: Actors;
  readonly directory: PlacedDirectory;
  readonly groups: Pick<GroupStore, "groups">;
  readonly read: ReadService;
  /** The project of this person's latest exclusion within a day. */
  readonly lastProject?: ((slackUserId: string) => Promise<string | undefined>) | undefined;
  readonly settings: () => ChangeSettings;
  readonly now: () => number;
}

export function createContextOf({
  actors,
  directory,
  groups,
  read,
  settings,
  now,
  lastProject,
}: ContextSources): ContextOf {
  return async ({ userId, channelId, receiptId, onRecorded }, purpose = "read") => {
    const [actor, saved] = await Promise.all([actors.actor(userId, purpose), groups.groups()]);
    const currentSettings = settings();
    const may = rightsOf(currentSettings, actor, channelId);
    return {
      actor,
      channelId,
      directory,
      settings: { ...currentSettings, resourceGroups: visibleGroups(saved, currentSettings.resourceGroups, may) },
      now: now(),
      read: readFor(read, userId),
      may,
      emailOf: (id) => actors.emailOf(id),
      nameOf: (id) => nameOf(actors, id),
      ...createNaming({ settings: currentSettings, actor, channelId, directory, may }),
      receiptId,
      onRecorded,
      lastProject: lastProject && (() => lastProject(userId)),
    };
  };
}

/** A name is only for show, so nothing fails without it. */
async function nameOf(actors: Actors, userId: string): Promise<string | undefined> {
  const person = await actors.actor(userId).catch(() => undefined);
  return person?.name;
}

type Groups = ChangeSettings["resourceGroups"];

/**
 * The groups that the requester may read, or use in an exclusion. A group of the config file takes precedence over a saved
 * one.
 */
function visibleGroups(saved: Groups, ofConfig: Groups, may: FillContext["may"]): Groups {
  const groups = new Map<string, Groups[string]>();
  for (const [name, group] of Object.entries(saved)) groups.set(name.toLowerCase(), { ...group, isSaved: true });
  for (const [name, group] of Object.entries(ofConfig)) groups.set(name.toLowerCase(), group);
  const isVisible = ({ project: projectId, type: resourceType }: Groups[string]) =>
    may(browseOperation, { projectId }) ||
    may(exclusionCreate.operation, { projectId, resourceType, exclusionLengthMs: 0 });
  return Object.fromEntries([...groups].filter(([, group]) => isVisible(group)));
}
