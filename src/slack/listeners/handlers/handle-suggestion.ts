import { commandOf } from "../../../commands/catalogue.ts";
import type { Command } from "../../../commands/command.ts";
import { exclusionEnd } from "../../../commands/exclusion/exclusion.ts";
import { expiryOf, isSwitchedOff } from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { plansSeen, whatOf, whenOf } from "../../../commands/exclusion/planned/plans.ts";
import type { ReferenceField } from "../../../commands/field.ts";
import { type Entity, isOfKind } from "../../../directory/directory.ts";
import { couldBeId } from "../../../service/could-be-id.ts";
import { shortMoment } from "../../../time/format-moment.ts";
import { blockIdOf } from "../../fields/field-kind.ts";
import { addressWithId, directoryFor, newOption, optionFor } from "../../fields/kinds/reference.ts";
import { readState } from "../../fields/read-fields.ts";
import { readMeta } from "../../forms/form-meta.ts";
import { limits } from "../../messages/text.ts";
import type { Actors } from "../../people/actors.ts";
import type { Access } from "../access.ts";
import type { ContextOf, RequestContext } from "../request-context.ts";

/** The ports of `handleSuggestion`. */
export interface SuggestionPorts {
  readonly actors: Pick<Actors, "actor">;
  readonly contextOf: ContextOf;
  readonly access: Access;
}

export interface Suggestion {
  readonly userId: string;
  readonly blockId: string;
  readonly query: string;
  readonly privateMetadata: string | undefined;
  /** The values in the form so far. */
  readonly values: unknown;
}

/** More would not help; Slack takes 100 (PLATFORM.md §6.6). */
const maxOptions = 25;
/** How many entities are searched, step by step: the requester may not see all of them. */
const searchLimits = [2 * maxOptions, 10 * maxOptions, 1000];

/**
 * Options for a reference while it is typed: entities in the directory, and the typed text as an id that says it is new. Choosing
 * that one confirms it. Empty for people who may not use the form.
 */
export async function handleSuggestion(
  ports: SuggestionPorts,
  { userId, blockId, query, privateMetadata, values }: Suggestion,
) {
  const { actors, contextOf, access } = ports;
  // No name or id that could be chosen is this long.
  if (query.length > limits.optionValue) return [];
  if ((await actors.actor(userId)).membership !== "member") return [];
  const meta = readMeta(privateMetadata);
  const command = meta && commandOf(meta.words);
  const field = command && fieldIn(command, blockId);
  if (!field) return [];
  const context = await contextOf({ userId, channelId: meta.channelId, fromHome: meta.fromHome });
  if (access.refusal(command, context)) return [];
  const { input } = field.of ? await readState(command, values, context, meta.edits) : { input: {} };
  const directory = directoryFor(field, input, context.directory);
  const pair = field.to === "user" ? addressWithId(query) : undefined;
  const typed = pair?.id ?? query.trim();
  let found: readonly Entity[] = [];
  for (const limit of searchLimits) {
    const all = await directory.search(field.to, typed, limit);
    found = (await context.nameable(all, command)).slice(0, maxOptions);
    if (found.length === maxOptions || all.length < limit) break;
  }
  const key = typed.toLowerCase();
  const isNew = couldBeId(typed) && !found.some(({ id, email }) => id.toLowerCase() === key || email === key);
  const isAddress = field.to === "user" && typed.includes("@");
  const described = await Promise.all(found.map(async (entity) => ({ entity, more: await detailOf(entity, context) })));
  const isAlike = ({ entity, more }: (typeof described)[number]) =>
    described.some((other) => other.entity !== entity && other.entity.name === entity.name && other.more === more);
  const options = described.map((each) =>
    optionFor(each.entity, each.more && isAlike(each) ? `${each.more} · ${each.entity.id}` : each.more),
  );
  const planned = field.to === "exclusion" ? await planOptions(command, typed, context) : [];
  return [...planned, ...options, ...(isNew ? [newOption(typed, isAddress)] : [])];
}

/** What is planned can be ended and extended in the same forms; it has another one to be edited. */
async function planOptions({ words }: Command, typed: string, context: RequestContext) {
  if (words !== exclusionEnd.words && words !== exclusionExtend.words) return [];
  const plans = (await plansSeen(context)).map((plan) => ({ plan, name: whatOf(plan.resourceIds, context) }));
  const found = plans.filter(({ plan, name }) => `${name} ${plan.id}`.toLowerCase().includes(typed.toLowerCase()));
  return found
    .slice(0, maxPlans)
    .map(({ plan, name }) => optionFor({ id: plan.id, name }, `planned ${whenOf(plan, context)}`));
}

const maxPlans = 10;

/** Names of exclusions are often alike: "until today 18:00 · alice". Other things are distinguished by their ids. */
async function detailOf(entity: Entity, { actor, now, nameOf }: RequestContext): Promise<string | undefined> {
  if (!isOfKind(entity, "exclusion")) return undefined;
  const { ownerId, endedAt, body } = entity;
  const end = endedAt ?? expiryOf(body);
  const until =
    end === undefined ? [] : [`${end > now ? "until" : "over since"} ${shortMoment(end, actor.timeZone, now)}`];
  const owner = ownerId === null ? undefined : ownerId === actor.userId ? "you" : await nameOf(ownerId);
  return [...until, owner ?? "made elsewhere", ...(isSwitchedOff(body) ? ["switched off"] : [])].join(" · ");
}

function fieldIn(command: Command, blockId: string): ReferenceField | undefined {
  const [, field] = Object.entries(command.fields).find(([name]) => blockIdOf(command, name) === blockId) ?? [];
  return field?.kind === "reference" ? field : undefined;
}
