import type { Field, Input, ReferenceField, ReferenceKind } from "../../../commands/field.ts";
import type { Directory, Entity, EntityKind, PlacedDirectory } from "../../../directory/directory.ts";
import { couldBeId } from "../../../service/could-be-id.ts";
import { clip, cut, limits } from "../../messages/message.ts";
import { type FieldKind, inputActionId, plainText } from "../field-kind.ts";
import { readChosen, readInstead, readOne, readSeveral, readSeveralChosen } from "../read-reference.ts";

/**
 * An entity of the service, by id, unambiguous name or start of a name; a user also by e-mail address or Slack mention, an exclusion by
 * what it covers. Its value is the id. What Curfew does not know is only used as an id when a person chooses that.
 */
export const referenceKind: FieldKind<ReferenceField> = {
  usage: ({ label, multiple }) => `<${label.toLowerCase()}${multiple ? ",…" : ""}>`,
  example: ({ to }) => examples[to],
  fromLine: async (field, words, context) => {
    const texts = words.map((word) => word.value);
    return field.multiple
      ? readSeveral(
          field,
          texts.flatMap((text) => text.split(",")),
          context,
        )
      : readOne(field, texts.join(" "), context);
  },
  draw: async ({ to, multiple }, { value: id, typed }, { directory }) => {
    if (multiple) return drawSeveral(to, id, directory);
    if (typed !== undefined && id === undefined && isNoId(typed)) return drawTyped(to, typed);
    const thing = typeof id === "string" ? await directory.get(to, id) : undefined;
    const initial =
      typeof id === "string" && !/[\s<>]/.test(id) ? { initial_option: optionFor(thing ?? { id, name: null }) } : {};
    return {
      type: "external_select",
      action_id: suggestionId(to),
      min_query_length: 0,
      placeholder: plainText("Type a name or an id"),
      ...initial,
    };
  },
  fromState: async ({ multiple, ...field }, { value: typed, selected_option, selected_options }, context) => {
    if (typed) return readInstead(field, typed, context);
    const options = (selected_options ?? []).map((option) => option.value);
    if (multiple) return readSeveralChosen(options);
    const chosen = selected_option?.value ?? "";
    return field.to === "user" && chosen.includes("@") ? readOne(field, chosen, context) : readChosen(chosen);
  },
};

/** Ids and names as people type them. */
const examples: Readonly<Record<ReferenceKind, string>> = {
  action: "a-00000001",
  credential: "cred-00000001",
  exclusion: "demo",
  plan: "plan-00000001",
  policy: "mp-00000001",
  project: "p-dev",
  selector: "sel-00000001",
  user: "bob",
};

const { optionValue: maxIdLength } = limits;

/** An address, a mention or a name of several words. Sending a form as it opens must not make an id of a typed word. */
const isNoId = (typed: string): boolean => typed.includes("@") || !couldBeId(typed);

/** Words that name nothing known: a select would lose them, and shows nowhere that an id can be pasted. */
function drawTyped(kind: ReferenceKind, typed: string) {
  // A mention is an address that nobody can read.
  const words = typed.startsWith("<") ? "" : cut(typed, maxIdLength);
  return {
    type: "plain_text_input",
    action_id: inputActionId,
    placeholder: plainText(`Its id, such as ${examples[kind]}`),
    ...(words === "" ? {} : { initial_value: words }),
  } as const;
}

async function drawSeveral(kind: EntityKind, ids: unknown, directory: Directory) {
  const options = await Promise.all(
    (Array.isArray(ids) ? ids : []).map(async (id: unknown) => {
      const thing = typeof id === "string" ? await directory.get(kind, id) : undefined;
      return optionFor(thing ?? { id: String(id), name: null });
    }),
  );
  return {
    type: "multi_external_select",
    action_id: suggestionId(kind),
    min_query_length: 0,
    placeholder: plainText("Type names or ids"),
    ...(options.length ? { initial_options: options } : {}),
  } as const;
}

export const suggestionId = (kind: EntityKind): string => `reference:${kind}`;

/** An option of a select; Slack allows 75 characters of text and 150 of value (PLATFORM.md §8.5). `more` follows the name. */
export function optionFor({ id, name }: { readonly id: string; readonly name: string | null }, more?: string) {
  const value = cut(id, maxIdLength);
  if (more === undefined) return { text: plainText(clip(name && name !== id ? `${name} (${id})` : id, 75)), value };
  const end = clip(` — ${more}`, 55);
  return { text: plainText(`${clip(name || id, 75 - end.length)}${end}`), value };
}

/** An option for an id that Curfew has not seen. */
export function newIdOption(id: string) {
  const says = "” (new to Curfew, used as an id)";
  return { text: plainText(`“${clip(id, 75 - says.length - 1)}${says}`), value: cut(id, maxIdLength) };
}

/** An option for an address that Curfew does not know. It is no id: choosing it says where the id is found. */
export function newAddressOption(address: string) {
  const says = "” is not known: type the id";
  return { text: plainText(`“${clip(address, 75 - says.length - 1)}${says}`), value: cut(address, maxIdLength) };
}

/** How many matches are filtered by owner; far more than any account has. */
const maxSearched = 1000;

/** The entities that a field can name. If it is `of` a given one (a selector of a plan), those that belong elsewhere are left out. */
export function directoryFor(field: Field, input: Input, directory: PlacedDirectory): PlacedDirectory {
  const owner = field.kind === "reference" && field.of !== undefined ? input[field.of] : undefined;
  if (typeof owner !== "string") return directory;
  return {
    ...directory,
    match: async (kind, text) => (await directory.match(kind, text)).filter((thing) => mayBelongTo(owner, thing)),
    search: async (kind, text, limit) =>
      (await directory.search(kind, text, maxSearched)).filter((thing) => mayBelongTo(owner, thing)).slice(0, limit),
  };
}

function mayBelongTo(owner: string, { body }: Entity): boolean {
  const planId = "planId" in body ? body.planId : undefined;
  return planId === undefined || planId === null || planId === owner;
}
