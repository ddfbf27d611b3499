import { isProblem } from "../../../commands/answer.ts";
import type { Command } from "../../../commands/command.ts";
import {
  actionAsThing,
  type ChosenThing,
  groupsAndMachines,
  keyOf,
  readKey,
  thingsChosen,
} from "../../../commands/exclusion/chosen-things.ts";
import type { ThingsField } from "../../../commands/field.ts";
import { limits } from "../../messages/text.ts";
import { type FieldKind, missing, plainText, problem, type ReadingContext, value } from "../field-kind.ts";
import { optionFor } from "./reference.ts";

/** More fill no form; each needs look-ups. */
const maxChosen = 20;

/** Groups, machines and actions by name, several at once. Only a form has it: a line names the same things in its words. */
export const thingsKind: FieldKind<ThingsField> = {
  usage: () => "",
  example: () => "",
  fromLine: async () => missing,
  draw: async (_field, { value: keys }, { directory }) => {
    const read = (Array.isArray(keys) ? keys : []).flatMap((key) => readKey(String(key)) ?? []).slice(0, maxChosen);
    const options = await Promise.all(
      read.map(async ({ kind, id }) => {
        const name = kind === "action" ? ((await directory.get("action", id))?.name ?? id) : id;
        return optionFor({ id: keyOf({ kind, id }), name }, kind);
      }),
    );
    return {
      type: "multi_external_select",
      action_id: "reference:thing",
      min_query_length: 0,
      max_selected_items: maxChosen,
      placeholder: plainText("Groups, machines, actions"),
      ...(options.length > 0 ? { initial_options: options } : {}),
    };
  },
  fromState: async (_field, { selected_options }, context) => {
    const keys = (selected_options ?? []).map((option) => option.value);
    if (keys.length === 0) return missing;
    if (keys.length > maxChosen) return problem(`That is ${keys.length}; at most ${maxChosen} can be chosen.`);
    const things = await thingsChosen(keys, context);
    return isProblem(things) ? problem(things.problem) : value([...new Set(keys)]);
  },
};

/** More would not help. */
const maxOptions = 25;
const maxActions = 50;

/** What may be meant by a part of a name: groups first, then actions, then machines. */
export async function thingOptions(query: string, command: Command, context: ReadingContext) {
  const typed = query.trim().toLowerCase();
  const known = await groupsAndMachines(context, (name) => name.toLowerCase().includes(typed));
  const found = await context.nameable(await context.directory.search("action", typed, maxActions), command);
  const actions = (await Promise.all(found.map(({ id }) => actionAsThing(id, context)))).filter(
    (each) => each !== undefined,
  );
  const isGroup = ({ kind }: ChosenThing): boolean => kind === "group";
  return [...known.filter(isGroup), ...actions, ...known.filter((thing) => !isGroup(thing))]
    .filter((thing) => keyOf(thing).length <= limits.optionValue)
    .slice(0, maxOptions)
    .map((thing) => optionFor({ id: keyOf(thing), name: thing.name }, thing.kind));
}
