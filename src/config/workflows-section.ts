import { z } from "zod";
import { type Program, workflowActorId } from "../permissions/actor.ts";
import { channelId, knownName, setOf } from "../permissions/config-values.ts";
import { type Loosening, list } from "../permissions/loosened-roles.ts";
import { knownZone } from "./channels-section.ts";

/** The `workflows` section of curfew.yaml (PERMISSIONS.md, "workflows"). Its roles must be among `roleNames`. */
export const workflowsSchema = (roleNames: readonly string[]) =>
  z.strictObject({
    // The catalogue knows what they do, so it reports unknown names (workflow-lint.ts).
    steps: setOf(z.string().min(1, "must not be empty")),
    actAs: knownName("role", roleNames),
    approvers: z.array(knownName("role", roleNames)).min(1, "must name at least one role").optional(),
    channel: channelId.optional(),
    zone: knownZone.optional(),
  });

/** What workflows may do: these steps, with the rights of one role. */
export type Workflows = Readonly<z.output<ReturnType<typeof workflowsSchema>>>;

export const isWorkflows = (id: string): boolean => id === workflowActorId;

/** All workflows as the holder of their role. */
export const workflowsAsProgram = (workflows: Workflows | undefined): readonly Program[] =>
  workflows ? [{ id: workflowActorId, role: workflows.actAs }] : [];

/** Roles are compared with the policy. Another channel or zone may mean other rights and times. */
export function loosenedWorkflows(next: Workflows | undefined, old: Workflows | undefined): readonly Loosening[] {
  if (!next) return [];
  const added = [...next.steps].filter((name) => !old?.steps.has(name));
  const approvers = (next.approvers ?? []).filter((role) => !old?.approvers?.includes(role));
  const isElsewhere = old !== undefined && (next.channel !== old.channel || next.zone !== old.zone);
  return [
    ...(added.length > 0
      ? [{ path: "workflows.steps", text: `Workflows may use ${list(added)}, as “${next.actAs}”.` }]
      : []),
    ...(approvers.length > 0
      ? [{ path: "workflows.approvers", text: `${list(approvers)} may approve what workflows ask for.` }]
      : []),
    ...(isElsewhere ? [{ path: "workflows", text: "Workflows ask in another channel or zone." }] : []),
  ];
}

type Teams = ReadonlySet<string> | undefined;

/** Without a list, the members of where Curfew is installed count, and nobody here knows who they are. */
export function loosenedTeams(next: Teams, old: Teams): readonly Loosening[] {
  const path = "teams";
  if (next === undefined)
    return old === undefined ? [] : [{ path, text: "Members of every workspace that Curfew is installed in count." }];
  const added = [...next].filter((id) => !old?.has(id));
  return added.length === 0 ? [] : [{ path, text: `Members of ${list(added)} count as ours.` }];
}
