import type { ChangeSettings } from "../../changes/ports.ts";
import { mayAskFor, mayName } from "../../changes/queries/queries.ts";
import type { Command, CommandContext, FillContext } from "../../commands/command.ts";
import type { Entity, EntityKind } from "../../directory/directory.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { browseOperation } from "../../service/operations.ts";
import type { ReadingContext } from "../fields/field-kind.ts";

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
      const usable = entities.filter(({ kind, ownerId, projectId }) =>
        mayName(
          settings,
          command,
          sources,
          projectId ?? undefined,
          kind === "exclusion" ? ownerId === actor.userId : undefined,
        ),
      );
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
  const isNameable = cached((projectId: string | undefined) => mayName(settings, command, sources, projectId));
  const isReadable = cached((projectId: string | undefined) =>
    may(browseOperation, { projectId: projectId ?? unknownProject }),
  );
  return entities.filter(({ kind }, index) => {
    const projectId = projects[index];
    // Who may ask for something about users may name them. What is in a project stays hidden with it.
    if (isAskable && (kind === "user" || kind === "policy")) return true;
    return isNameable(projectId) && (kind !== "action" || isReadable(projectId));
  });
}

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
