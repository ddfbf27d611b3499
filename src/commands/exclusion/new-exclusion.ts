import type { OperationInput } from "../../service/operations.ts";
import type { ResourceType } from "../../service/resources.ts";
import type { CommandContext } from "../command.ts";
import { processesOf, resourceWords, timestampOf } from "./exclusion-body.ts";
import { groupOf } from "./resource-context.ts";

export interface NewExclusion {
  readonly resourceIds: readonly string[];
  readonly type: ResourceType;
  readonly project: string;
  readonly process: keyof typeof processesOf;
  readonly name?: string | undefined;
  /** In epoch ms. */
  readonly until: number;
}

/** What the service is sent. */
export const newExclusion = (
  input: NewExclusion,
  context: CommandContext,
): OperationInput<"CreateActionExclusion"> => ({
  projectId: input.project,
  name: nameOf(input, context),
  isEnabled: true,
  expiryDate: timestampOf(input.until),
  resourceType: input.type,
  resourceIdentificationMethod: "by-resource-id",
  resourceIds: [...input.resourceIds],
  processes: [...processesOf[input.process]],
});

/** The name that was given, or one made from its maker and resources. */
export function nameOf(
  { name, resourceIds }: Pick<NewExclusion, "name" | "resourceIds">,
  { actor, settings }: CommandContext,
): string {
  if (name !== undefined) return name;
  const resources = groupOf(resourceIds, settings.resourceGroups) ?? resourceWords(resourceIds);
  // Half of a surrogate pair at the end could not be sent.
  return `${actor.name}: ${resources}`.slice(0, 200).replace(/\p{Surrogate}$/u, "");
}
