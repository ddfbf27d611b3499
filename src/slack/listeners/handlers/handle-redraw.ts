import { commandOf } from "../../../commands/catalogue.ts";
import type { Command } from "../../../commands/command.ts";
import { exclusionEnd } from "../../../commands/exclusion/exclusion.ts";
import { expiryOf, isSwitchedOff } from "../../../commands/exclusion/exclusion-body.ts";
import { exclusionExtend } from "../../../commands/exclusion/exclusion-extend.ts";
import { plansSeen, whatOf, whenOf } from "../../../commands/exclusion/planned/plans.ts";
import type { Input, ReferenceField, ThingsField } from "../../../commands/field.ts";
import { asRequired } from "../../../commands/required-fields.ts";
import { type Entity, isOfKind } from "../../../directory/directory.ts";
import { couldBeId } from "../../../service/resources.ts";
import { shortMoment } from "../../../time/format-moment.ts";
import { blockIdOf } from "../../fields/field-kind.ts";
import { quickMoment, startGiven } from "../../fields/kinds/moment.ts";
import { addressWithId, directoryFor, newOption, optionFor } from "../../fields/kinds/reference.ts";
import { thingOptions } from "../../fields/kinds/resource-ids.ts";
import { type FieldsRead, readState } from "../../fields/read-fields.ts";
import { formFor } from "../../forms/form.ts";
import { type FormMeta, fixedBy, putAside, readMeta, readShown, withAside } from "../../forms/form-meta.ts";
import { limits } from "../../messages/text.ts";
import type { Deps } from "../deps.ts";
import type { RequestContext } from "../request-context.ts";

export interface Redraw {
  readonly userId: string;
  readonly viewId: string;
  /** The hash of the view as the person saw it; Slack rejects an update of a form that has changed since (PLATFORM.md §7.3). */
  readonly hash: string | undefined;
  readonly privateMetadata: string | undefined;
  readonly values: unknown;
  /** A ready answer that was chosen for a field, in its words. */
  readonly answer?: { readonly field: string; readonly words: string } | undefined;
  /** The rarer fields were asked for. */
  readonly more?: boolean | undefined;
}

/** A form as it was last drawn. What the person did before they saw that is read together with it. */
export interface Drawn {
  /** The hashes that it replaced. */
  readonly replaced: ReadonlySet<string | undefined>;
  readonly hash: string | undefined;
  readonly privateMetadata: string;
  readonly answers: Input;
}

/**
 * Redraws a form after a choice that changes its fields, or while its person types. Slack keeps what was typed in inputs with the same
 * ids. `isOvertaken`: the person has typed more since, and that is drawn next.
 */
export async function handleRedraw(
  { actors, contextOf, access, client }: Deps,
  redraw: Redraw,
  last: Drawn | undefined,
  isOvertaken: () => boolean,
): Promise<Drawn | undefined> {
  const { userId, viewId } = redraw;
  if ((await actors.actor(userId)).membership !== "member") return last;
  const known = last?.replaced.has(redraw.hash) ? last : undefined;
  const hash = known?.hash ?? redraw.hash;
  const seen = readMeta(known?.privateMetadata ?? redraw.privateMetadata);
  const declared = seen && commandOf(seen.words);
  if (!seen || !declared) return last;
  const context = await contextOf({ userId, channelId: seen.channelId, fromHome: seen.fromHome });
  const command = asRequired(declared, context.settings);
  if (access.refusal(command, context)) return last;
  const values = withAside(redraw.values, seen.aside);
  const shown = readShown(seen.shown, false);
  const readWith = (given: Input) =>
    readState(command, values, { ...context, shown }, { ...fixedBy(seen), ...given }, seen.otherwise);
  const start = redraw.answer && startGiven({ command, given: (await readWith({})).input });
  const answers = { ...known?.answers, ...answerIn(redraw, command, context, start) };
  const meta = metaAfter(redraw, seen, answers);
  const read = await readWith(answers);
  const drawn = await formFor(command, { ...read, problems: liveProblems(command, read) }, meta, context);
  const view = putAside(drawn, values);
  if (isOvertaken() && !redraw.answer && !redraw.more) return last;
  const updated = await client.views.update({ view_id: viewId, view, ...(hash === undefined ? {} : { hash }) });
  const replaced = new Set([...(known?.replaced ?? []), redraw.hash, hash]);
  const privateMetadata = view.private_metadata ?? "";
  return { replaced, hash: updated.view?.hash ?? hash, privateMetadata, answers };
}

function answerIn({ answer }: Redraw, { fields }: Command, context: RequestContext, start: number | undefined): Input {
  if (!answer || fields[answer.field]?.kind !== "moment") return {};
  const at = quickMoment(answer.words, context, start);
  return at === undefined ? {} : { [answer.field]: at };
}

function metaAfter({ answer, more }: Redraw, meta: FormMeta, answers: Input): FormMeta {
  const isAnswered = answer !== undefined && answer.field in answers;
  const count = isAnswered ? { [answer.field]: (meta.chosen?.[answer.field] ?? 0) + 1 } : {};
  return {
    ...meta,
    ...(more ? { more: true } : {}),
    ...(isAnswered ? { chosen: { ...meta.chosen, ...count } } : {}),
  };
}

/** What is wrong in a half-filled form is said when it is sent, except where people look for an answer while they type. */
function liveProblems({ fields }: Command, { problems }: FieldsRead): FieldsRead["problems"] {
  const isLive = (name: string) => ["resource-ids", "things"].includes(fields[name]?.kind ?? "");
  return Object.fromEntries(Object.entries(problems).filter(([name]) => isLive(name)));
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
  deps: Pick<Deps, "actors" | "contextOf" | "access">,
  { userId, blockId, query, privateMetadata, values }: Suggestion,
) {
  const { actors, contextOf, access } = deps;
  // No name or id that could be chosen is this long.
  if (query.length > limits.optionValue) return [];
  if ((await actors.actor(userId)).membership !== "member") return [];
  const meta = readMeta(privateMetadata);
  const command = meta && commandOf(meta.words);
  const field = command && fieldIn(command, blockId);
  if (!field) return [];
  const context = await contextOf({ userId, channelId: meta.channelId, fromHome: meta.fromHome });
  if (access.refusal(command, context)) return [];
  if (field.kind === "things") return thingOptions(query, command, context);
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
  const isNew =
    couldBeId(typed, context.settings.accounts) &&
    !found.some(({ id, email }) => id.toLowerCase() === key || email === key);
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

function fieldIn(command: Command, blockId: string): ReferenceField | ThingsField | undefined {
  const [, field] = Object.entries(command.fields).find(([name]) => blockIdOf(command, name) === blockId) ?? [];
  return field?.kind === "reference" || field?.kind === "things" ? field : undefined;
}

interface Redrawn {
  readonly viewId: string;
}

interface QueueOptions<R extends Redrawn, D> {
  /** Draws the form; `isOvertaken`: a newer request waits. */
  readonly draw: (redraw: R, last: D | undefined, isOvertaken: () => boolean) => Promise<D | undefined>;
  /** One request that stands for both. */
  readonly merge: (waiting: R, newer: R) => R;
}

/** How many forms are remembered; more are never open together. */
const maxViews = 1000;

/**
 * Redraws each form once at a time. Slack asks for it with every character (PLATFORM.md §6.3), so of what arrives while a form is drawn
 * only the newest is drawn next.
 */
export function createRedrawQueue<R extends Redrawn, D>({ draw, merge }: QueueOptions<R, D>) {
  const drawn = new Map<string, D>();
  const waiting = new Map<string, R | undefined>();
  const drawOnce = async (redraw: R): Promise<void> => {
    const { viewId } = redraw;
    const isOvertaken = () => waiting.get(viewId) !== undefined;
    const now = await draw(redraw, drawn.get(viewId), isOvertaken);
    drawn.delete(viewId);
    if (now !== undefined) drawn.set(viewId, now);
    const [oldest] = drawn.keys();
    if (oldest !== undefined && drawn.size > maxViews) drawn.delete(oldest);
  };
  return async (redraw: R): Promise<void> => {
    const { viewId } = redraw;
    if (waiting.has(viewId)) {
      const other = waiting.get(viewId);
      waiting.set(viewId, other === undefined ? redraw : merge(other, redraw));
      return;
    }
    waiting.set(viewId, undefined);
    try {
      for (let next: R | undefined = redraw; next !== undefined; next = waiting.get(viewId)) {
        waiting.set(viewId, undefined);
        await drawOnce(next).catch((error: unknown) => {
          if (waiting.get(viewId) === undefined) throw error;
        });
      }
    } finally {
      waiting.delete(viewId);
    }
  };
}
