import type { CommandSettings } from "../../commands/command.ts";
import { isResourceId } from "../../commands/exclusion/resource-context.ts";
import type { ResourceIdsField } from "../../commands/field.ts";
import { nearestWord } from "../../language/nearest-word.ts";
import { parseDuration } from "../../time/duration.ts";
import { cut } from "../messages/message.ts";
import {
  type FieldKind,
  inputActionId,
  missing,
  plainText,
  problem,
  type Reading,
  type ReadingContext,
} from "./field-kind.ts";
import { oddLetters, withoutInvisible } from "./reference.ts";
import { groupNamed, meaningsOf } from "./resource-words.ts";

/** More than any request should name; Slack's text input ends at 3,000 characters as well (platform.md §8.4). */
const mostIds = 200;

export const resourceIdsKind: FieldKind<ResourceIdsField> = {
  usage: () => "<id or group>…",
  example: ({ positional }) => (positional === "rest" ? "i-0a1 i-0a2" : "i-0a1"),
  fromLine: async (field, words, context) => read(field, words.map((word) => word.value).join("\n"), context),
  draw: async (_field, { value: ids, typed }) => ({
    type: "plain_text_input",
    action_id: inputActionId,
    multiline: true,
    placeholder: plainText("i-0a1, i-0a2"),
    ...initial(ids, typed),
  }),
  fromState: async (field, state, context) => read(field, state.value ?? "", context),
};

/** Ids in any separation, each once and in the order given; the name of a resource group, unless it is an id itself, stands for its ids. */
async function read(field: ResourceIdsField, text: string, context: ReadingContext): Promise<Reading> {
  const { resourceGroups } = context.settings;
  const said = withoutInvisible(text).split(/[\s,;|"'`“”„‘’]+/);
  const names = [...new Set(said)].filter(Boolean);
  // Before each of them is looked at, which takes a while.
  if (names.length > mostIds) return problem(tooMany(names.length));
  const read = await meaningsOf(field, names, context);
  if ("problem" in read) return problem(read.problem);
  const { meanings } = read;
  const isGroup = (name: string) => groupNamed(name, resourceGroups) !== undefined;
  const ids = new Set(names.flatMap((name) => (isGroup(name) ? (meanings.get(name.toLowerCase()) ?? [name]) : [name])));
  if (ids.size === 0) return missing;
  if (ids.size > mostIds) return problem(tooMany(ids.size));
  const length = names.find((name) => /^\d/.test(name) && parseDuration(name).kind === "duration");
  if (length !== undefined)
    return problem(`“${length}” is a length of time, not a resource id. Did you mean “for ${length}”?`);
  const odd = [...ids].find((id) => /[<>&\p{Cc}]/u.test(id));
  if (odd !== undefined) return problem(`“${odd}” does not look like a resource id.`);
  const ofGroups = new Set(Object.values(resourceGroups).flatMap((group) => group.ids));
  const reason = [...ids]
    .filter((id) => !ofGroups.has(id))
    .map(oddLetters)
    .find(Boolean);
  if (reason !== undefined) return problem(reason);
  const doubt = firstDoubt(
    names.filter((name) => !isResourceId(name, resourceGroups)),
    resourceGroups,
  );
  return { kind: "value", value: [...ids], ...(meanings.size > 0 ? { meanings } : {}), ...(doubt ? { doubt } : {}) };
}

const tooMany = (count: number): string => `These are ${count} resources; ${mostIds} can be excluded at once.`;

/** What is neither a group nor an id by its form, and is written much like a group, may be that group's name mistyped. */
function firstDoubt(names: readonly string[], groups: CommandSettings["resourceGroups"]): string | undefined {
  const directory = Object.keys(groups).map((group) => ({ group, lower: group.toLowerCase() }));
  for (const name of names) {
    const near = groupNamed(name, groups) ? undefined : nearestGroup(name.toLowerCase(), directory);
    if (near !== undefined)
      return `There is no group “${name}”. Did you mean the group “${near}”? If it is a resource, say its type and project.`;
  }
  return undefined;
}

interface KnownGroup {
  readonly group: string;
  readonly lower: string;
}

function nearestGroup(said: string, groups: readonly KnownGroup[]): string | undefined {
  const begun = groups.find(({ lower }) => said.length > 2 && lower.startsWith(said));
  if (begun) return begun.group;
  const near = nearestWord(
    said,
    groups.map(({ lower }) => lower),
  );
  const isNear = near !== undefined && near.differences <= (near.word.length < 5 ? 1 : 2);
  return isNear ? groups.find(({ lower }) => lower === near.word)?.group : undefined;
}

function initial(ids: unknown, typed: string | undefined): { initial_value?: string } {
  const text = Array.isArray(ids) ? ids.join(", ") : (typed ?? "");
  return text === "" ? {} : { initial_value: cut(text, 3000) };
}
