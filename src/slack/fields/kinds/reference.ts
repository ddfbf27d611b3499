import { commandOf } from "../../../commands/catalogue.ts";
import type { Field, Input, ReferenceField, ReferenceKind } from "../../../commands/field.ts";
import type { Directory, Entity, EntityKind, PlacedDirectory } from "../../../directory/directory.ts";
import { clip, cut, limits } from "../../messages/message.ts";
import {
  type FieldKind,
  missing,
  plainText,
  problem,
  type Reading,
  type ReadingContext,
  value,
} from "../field-kind.ts";

/** An entity of the service, by id or unambiguous name; a user also by e-mail address or Slack mention. Its value is the id. */
export const referenceKind: FieldKind<ReferenceField> = {
  usage: ({ label, multiple }) => `<${label.toLowerCase()}${multiple ? ",…" : ""}>`,
  example: ({ to }) => examples[to],
  fromLine: async ({ to, multiple }, words, context) => {
    const texts = words.map((word) => word.value);
    return multiple
      ? readSeveral(
          to,
          texts.flatMap((text) => text.split(",")),
          context,
        )
      : read(to, texts.join(" "), context);
  },
  draw: async ({ to, multiple }, { value: id, typed }, { directory }) => {
    if (multiple) return drawSeveral(to, id, directory);
    const start = typeof id === "string" ? id : typed;
    const thing = typeof id === "string" ? await directory.get(to, id) : undefined;
    const initial =
      start && !/[\s<>]/.test(start) ? { initial_option: optionFor(thing ?? { id: start, name: null }) } : {};
    return {
      type: "external_select",
      action_id: suggestionId(to),
      min_query_length: 0,
      placeholder: plainText("Type a name or an id"),
      ...initial,
    };
  },
  fromState: async ({ to, multiple }, { selected_option, selected_options }, context) =>
    multiple
      ? readSeveral(
          to,
          (selected_options ?? []).map((option) => option.value),
          context,
        )
      : read(to, selected_option?.value ?? "", context),
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

const { selectOptions: maxReferences, optionValue: maxIdLength } = limits;

/** An empty list is a value: an entity may refer to nothing. */
async function readSeveral(kind: EntityKind, typed: readonly string[], context: ReadingContext): Promise<Reading> {
  const texts = new Set(typed);
  // Checked first: each one needs a look-up.
  if (texts.size > maxReferences) return problem(`That is ${texts.size}; at most ${maxReferences} are allowed.`);
  const ids: string[] = [];
  for (const text of texts) {
    const one = await read(kind, text, context);
    if (one.kind === "problem") return one;
    if (one.kind === "value") ids.push(String(one.value));
  }
  return value([...new Set(ids)]);
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

async function read(kind: EntityKind, typed: string, context: ReadingContext): Promise<Reading> {
  const mention = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(typed.trim());
  if (mention?.[1] !== undefined) return readMention(kind, mention[1], context);
  const text = withoutInvisible(typed)
    .trim()
    .replace(/^<mailto:([^|>]+)(?:\|[^>]*)?>$/, "$1");
  if (text === "") return missing;
  const [first, ...others] = await context.directory.match(kind, text);
  if (first && others.length > 0) return problem(ambiguous(kind, text, [first, ...others]));
  if (first) return value(first.id);
  if (kind === "user" && text.includes("@"))
    return problem(unknown(`Curfew knows no service user with the address ${text}`));
  // An id is opaque: the service judges anything that could be one. Text with blanks, or too long for a form's option, could not.
  if (/[\s<>]/.test(text) || text.length > maxIdLength) {
    return problem(`${unknown(`Curfew knows no ${kind} called “${clip(text, maxIdLength)}”`)}${whereListed(kind)}`);
  }
  const odd = oddLetters(text);
  return odd === undefined ? value(text) : problem(odd);
}

async function readMention(kind: EntityKind, slackUserId: string, context: ReadingContext): Promise<Reading> {
  if (kind !== "user") return problem(`A person is not a ${kind}. Give its name or id.`);
  const email = await context.emailOf(slackUserId);
  if (!email) return problem(unknown("That Slack profile shows no e-mail address"));
  const [user, ...others] = await context.directory.match("user", email);
  if (user && others.length === 0) return value(user.id);
  return problem(
    user
      ? ambiguous(kind, email, [user, ...others])
      : unknown(`Curfew knows no service user with ${email}, the address of that Slack profile`),
  );
}

/** Names the command that lists this kind, to follow another sentence; empty without one. */
export function whereListed(kind: EntityKind): string {
  const words = `${kind} list`;
  return commandOf(words) ? ` \`${words}\` shows those that Curfew knows.` : "";
}

function unknown(what: string): string {
  return `${what}. Give the service's id.`;
}

function ambiguous(kind: EntityKind, text: string, things: readonly Entity[]): string {
  const candidates = things.map(({ id, name }) => `${name ?? id} (${id})`).join(", ");
  return `“${text}” could be more than one ${kind}: ${candidates}. Give the id.`;
}

/** An option of a select; Slack allows 75 characters of text and 150 of value (PLATFORM.md §8.5). */
export function optionFor({ id, name }: { readonly id: string; readonly name: string | null }) {
  return { text: plainText(clip(name && name !== id ? `${name} (${id})` : id, 75)), value: cut(id, maxIdLength) };
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

/** Without invisible characters, such as zero-width and bidi ones: they come along when an id is pasted. */
export function withoutInvisible(text: string): string {
  return text.replace(/\p{Cf}/gu, "");
}

/** The name of an Azure resource group may have any letters; everything else in an id is ASCII. */
const azurePath = /^\/subscriptions\//i;
const azureText = /^[\p{L}\p{M}\p{N}\x21-\x7e]*$/u;

/** Why a text cannot be an id: a lookalike letter would name something else. Undefined when it can be one. */
export function oddLetters(id: string): string | undefined {
  const isFit = azurePath.test(id)
    ? azureText.test(id) && id.normalize("NFKC") === id.normalize("NFC")
    : /^[\x21-\x7e]*$/.test(id);
  if (isFit) return undefined;
  const odd = [...id].find((letter) => !/[\x21-\x7e]/.test(letter)) ?? "";
  const code = odd.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `“${id}” does not look like an id: it contains “${odd}” (U+${code}), which is not a plain letter, digit or sign. Type it again.`;
}
