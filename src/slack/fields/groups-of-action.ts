import type { ResourceIdsField } from "../../commands/field.ts";
import { unknownProject } from "../../permissions/decide.ts";
import { actionsNamed } from "../../service/action-types.ts";
import { browseOperation } from "../../service/operations.ts";
import { clip, limits } from "../messages/message.ts";
import { problem, type Reading, type ReadingContext } from "./field-kind.ts";
import { groupsFor } from "./near-groups.ts";

/** More would not be read. */
const maxOptions = 5;

/** The machines of an action, where the words are its name or id: those of the groups that name it. Undefined for other words. */
export async function groupsOfAction(
  field: ResourceIdsField,
  text: string,
  context: ReadingContext,
): Promise<Reading | undefined> {
  if (field.placedBy === undefined || field.typedBy === undefined) return undefined;
  const said = text.split(/\s+/).filter(Boolean).join(" ");
  const { directory, may, settings, given } = context;
  const known = await directory.match("action", said);
  const actions = known.filter(({ projectId }) => may(browseOperation, { projectId: projectId ?? unknownProject }));
  const [action] = actions;
  if (!action) return undefined;
  const bodies = actions.map(({ body }) => body);
  const groups = Object.entries(groupsFor(field, settings.resourceGroups, given)).filter(
    ([, group]) => actionsNamed(group, bodies).length > 0,
  );
  const [first, ...others] = groups;
  const name = clip(action.name ?? action.id, limits.buttonText);
  if (!first)
    return problem(
      `“${name}” is an action, and no group names its machines. Give their ids, or name them by “group save”.`,
    );
  if (others.length === 0) {
    const [, { ids, type, project }] = first;
    return { kind: "value", value: [...ids], implied: { [field.typedBy]: type, [field.placedBy]: project } };
  }
  return {
    kind: "choice",
    text: `“${name}” is an action of several groups. Nothing was changed. Which one do you mean?`,
    options: groups.slice(0, maxOptions).map(([label, { ids }]) => ({ label, value: [...ids] })),
  };
}
