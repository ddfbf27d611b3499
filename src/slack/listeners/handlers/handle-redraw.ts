import type { WebClient } from "@slack/web-api";
import { commandOf } from "../../../commands/catalogue.ts";
import type { Command } from "../../../commands/command.ts";
import type { Input } from "../../../commands/field.ts";
import { asRequired } from "../../../commands/required-fields.ts";
import { quickMoment, startGiven } from "../../fields/kinds/moment.ts";
import { type FieldsRead, readState } from "../../fields/read-fields.ts";
import { formFor } from "../../forms/form.ts";
import { type FormMeta, fixedBy, putAside, readMeta, withAside } from "../../forms/form-meta.ts";
import { readShown } from "../../forms/shown-words.ts";
import type { Actors } from "../../people/actors.ts";
import type { Access } from "../access.ts";
import type { ContextOf, RequestContext } from "../request-context.ts";

/** The ports of `handleRedraw`. */
export interface RedrawPorts {
  readonly actors: Pick<Actors, "actor">;
  readonly contextOf: ContextOf;
  readonly access: Access;
  readonly client: WebClient;
}

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
  { actors, contextOf, access, client }: RedrawPorts,
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
  return Object.fromEntries(Object.entries(problems).filter(([name]) => fields[name]?.kind === "resource-ids"));
}
