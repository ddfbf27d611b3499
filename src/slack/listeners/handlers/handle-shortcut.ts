import { exclusionCreate } from "../../../commands/exclusion/exclusion.ts";
import { type FoundResource, resourcesIn, resourceTypeNamed, resourceTypeOf } from "../../../directory/resources.ts";
import { complete, type FieldsRead } from "../../fields/read-fields.ts";
import { formFor, openForm } from "../../forms/form.ts";
import { metaFor } from "../../forms/form-meta.ts";
import type { Deps } from "../deps.ts";
import type { Origin, RequestContext } from "../request-context.ts";

export interface Shortcut extends Origin {
  readonly triggerId: string;
  /** The message it was used on; undefined for a global shortcut. */
  readonly message: unknown;
}

/** The limit of a multi-line input (PLATFORM.md §8.4). */
const maxCharacters = 3000;
const maxKnown = 500;

type Given = Omit<FieldsRead, "missing" | "derived" | "choices">;

/** Handles a shortcut: opens the exclusion form with the resources that its message names. */
export async function handleShortcut(deps: Deps, shortcut: Shortcut): Promise<void> {
  const { contextOf, access, replies, client, log } = deps;
  const context = await contextOf(shortcut);
  const refusal =
    access.refusal(exclusionCreate, context) ?? (await access.refusalOfForm(exclusionCreate, {}, context));
  if (refusal) {
    await replies.to(shortcut).send(refusal);
    return;
  }
  await openForm({ client, log }, shortcut, exclusionCreate.title, async () => {
    const given = await givenBy(shortcut.message, context);
    const read = await complete(exclusionCreate, given, context);
    const notice = await access.formNotice(exclusionCreate, read.input, context);
    return formFor(exclusionCreate, { ...read, notice }, metaFor(exclusionCreate, shortcut), context);
  });
}

async function givenBy(message: unknown, context: RequestContext): Promise<Given> {
  if (message === undefined) return { input: {}, problems: {}, typed: {} };
  const text = messageText(message);
  if (text === undefined) return nothingFound(tooLong);
  const found = resourcesIn(text, await knownResources(context), context.settings.accounts);
  if (found.length === 0) return nothingFound("No resource id was found in the message. Enter the ids here.");
  const fitting = fittingIds(found);
  const types = [...new Set(found.map(({ type }) => type))];
  const [type] = types;
  return {
    // A type that the ids show follows from them in the form too.
    input: {
      resourceIds: fitting,
      ...(type && types.length === 1 && resourceTypeOf(fitting) !== type ? { type } : {}),
    },
    problems: {
      ...(fitting.length < found.length
        ? { resourceIds: `The message names ${found.length} resources; the first ${fitting.length} fit here.` }
        : {}),
      ...(types.length > 1 ? { type: severalTypes(types) } : {}),
    },
    typed: {},
  };
}

const tooLong = "The message is too long, so it was not searched for resource ids. Enter the ids here.";

function nothingFound(why: string): Given {
  return { input: {}, problems: { resourceIds: why }, typed: {} };
}

function severalTypes(types: readonly FoundResource["type"][]): string {
  const named = types.map((type) => type ?? "an unknown type");
  return `The resources are not of one type (${named.join(", ")}), and one request is for one type: leave the others out.`;
}

function fittingIds(found: readonly FoundResource[]): readonly string[] {
  const ids: string[] = [];
  let length = 0;
  for (const { id } of found) {
    length += id.length + ", ".length;
    if (length > maxCharacters) break;
    ids.push(id);
  }
  return ids;
}

/** The resources in groups and exclusions, with their types. A group takes precedence over an exclusion. */
async function knownResources({
  directory,
  settings,
}: RequestContext): Promise<ReadonlyMap<string, FoundResource["type"]>> {
  const exclusions = await directory.search("exclusion", "", maxKnown);
  const groups = Object.values(settings.resourceGroups);
  return new Map([
    ...exclusions.flatMap(({ body }) => typed(body.resourceIds ?? [], resourceTypeNamed(body.resourceType))),
    ...groups.flatMap(({ ids, type }) => typed(ids, type)),
  ]);
}

function typed(ids: readonly string[], type: FoundResource["type"]) {
  return ids.map((id) => [id, type] as const);
}

/** The keys of readable text and link addresses in Slack's messages, blocks and attachments. */
const readKeys = new Set(["text", "title", "pretext", "fallback", "value", "url", "title_link"]);

/** The limit for all parts together: a longer search would block other requests. */
export const longestMessage = 40_000;
const maxParts = 20_000;

/**
 * All readable text in a message, its blocks and its attachments, one line each, without Slack's markup of links and
 * escapes. Undefined if it is too long.
 */
export function messageText(message: unknown): string | undefined {
  const texts: string[] = [];
  let length = 0;
  let parts = 0;
  // Iterative rather than recursive: an attachment may be nested as deep as its sender likes.
  const rest = partsOf([message]);
  while (rest.length > 0) {
    const value = rest.pop();
    const inner = partsOf(value);
    parts += inner.length;
    length += typeof value === "string" ? value.length : 0;
    if (length > longestMessage || parts > maxParts) return undefined;
    if (typeof value === "string") texts.push(unescapeMrkdwn(value));
    for (const part of inner.reverse()) rest.push(part);
  }
  return texts.join("\n");
}

/** The readable texts in a value, and the objects that may hold more, in order. */
function partsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "object");
  if (typeof value !== "object" || value === null) return [];
  // A button's value is for its app, not for readers.
  const isElement = "action_id" in value;
  return Object.entries(value).flatMap(([key, item]) => {
    if (typeof item === "object") return [item];
    return readKeys.has(key) && typeof item === "string" && !(isElement && key === "value") ? [item] : [];
  });
}

/** Splits `<https://x|label>` into its two parts, then unescapes the three characters that Slack escapes (PLATFORM.md §10). */
function unescapeMrkdwn(text: string): string {
  return text.replace(/[<>|]/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
