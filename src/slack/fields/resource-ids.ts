import { closest, distance } from "fastest-levenshtein";
import type { CommandSettings } from "../../commands/command.ts";
import type { ResourceIdsField } from "../../commands/field.ts";
import { isResourceId } from "../../commands/is-resource-id.ts";
import { parseDuration } from "../../time/duration.ts";
import { cut } from "../blocks/clip.ts";
import { type FieldKind, inputActionId, missing, plainText, problem, type Reading } from "./field-kind.ts";
import { oddLetters, withoutInvisible } from "./typed-id.ts";

/** More than any request should name; Slack's text input ends at 3,000 characters as well (platform.md §8.4). */
const mostIds = 200;

export const resourceIdsKind: FieldKind<ResourceIdsField> = {
  usage: () => "<id or group>…",
  example: ({ positional }) => (positional === "rest" ? "i-0a1 i-0a2" : "i-0a1"),
  fromLine: async (_field, words, { settings }) => read(words.map((word) => word.value).join("\n"), settings),
  draw: async (_field, { value: ids, typed }) => ({
    type: "plain_text_input",
    action_id: inputActionId,
    multiline: true,
    placeholder: plainText("i-0a1, i-0a2"),
    ...initial(ids, typed),
  }),
  fromState: async (_field, state, { settings }) => read(state.value ?? "", settings),
};

/** Ids in any separation, each once and in the order given; the name of a resource group, unless it is an id itself, stands for its ids. */
function read(text: string, { resourceGroups }: CommandSettings): Reading {
  const names = withoutInvisible(text)
    .split(/[\s,;|"'`“”„‘’]+/)
    .filter(Boolean);
  const idsOf = (name: string): readonly string[] =>
    (isResourceId(name, resourceGroups) ? undefined : groupNamed(name, resourceGroups)) ?? [name];
  const ids = new Set(names.flatMap(idsOf));
  if (ids.size === 0) return missing;
  if (ids.size > mostIds) return problem(`These are ${ids.size} resources; ${mostIds} can be excluded at once.`);
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
  const doubt = names.map((name) => doubtAbout(name, resourceGroups)).find(Boolean);
  return { kind: "value", value: [...ids], ...(doubt ? { doubt } : {}) };
}

/** What is neither a group nor an id by its form, and is written much like a group, may be that group's name mistyped. */
function doubtAbout(name: string, groups: CommandSettings["resourceGroups"]): string | undefined {
  if (groupNamed(name, groups) || isResourceId(name, groups)) return undefined;
  const near = nearestGroup(name.toLowerCase(), Object.keys(groups));
  return (
    near &&
    `There is no group “${name}”. Did you mean the group “${near}”? If it is a resource, say its type and project.`
  );
}

function nearestGroup(said: string, groups: readonly string[]): string | undefined {
  if (groups.length === 0) return undefined;
  const begun = groups.filter((group) => said.length > 2 && group.toLowerCase().startsWith(said));
  if (begun.length > 0) return begun[0];
  const near = closest(
    said,
    groups.map((group) => group.toLowerCase()),
  );
  const isNear = distance(said, near) <= (near.length < 5 ? 1 : 2);
  return isNear ? groups.find((group) => group.toLowerCase() === near) : undefined;
}

function groupNamed(name: string, groups: CommandSettings["resourceGroups"]): readonly string[] | undefined {
  return Object.entries(groups).find(([group]) => group.toLowerCase() === name.toLowerCase())?.[1].ids;
}

function initial(ids: unknown, typed: string | undefined): { initial_value?: string } {
  const text = Array.isArray(ids) ? ids.join(", ") : (typed ?? "");
  return text === "" ? {} : { initial_value: cut(text, 3000) };
}
