import { onlyKnownUsers } from "../../changes/authorize/decide-change.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { expiryOf, isSwitchedOff } from "../../commands/exclusion/exclusion-body.ts";
import type { ReferenceKind } from "../../commands/field.ts";
import type { Entity, EntityKind } from "../../directory/directory.ts";
import { isProgram } from "../../permissions/actor.ts";
import { formatMoment } from "../../time/format-moment.ts";
import { clip, limits } from "../messages/message.ts";
import { type ChoiceOption, problem, type Reading, type ReadingContext } from "./field-kind.ts";

/** More would not be read. */
const maxOptions = 5;

type Named = Entity<ReferenceKind>;

/** Several entities fit the text, so it names none. */
export async function severalFit(
  kind: ReferenceKind,
  text: string,
  entities: readonly Named[],
  context: ReadingContext,
): Promise<Reading> {
  const shown = entities.slice(0, maxOptions);
  const lines = await Promise.all(shown.filter(isExclusion).map((each) => exclusionLine(each, context)));
  const candidates =
    lines.length > 0
      ? ` ${lines.join("; ")}.`
      : ` ${shown.map(entityLabel).join(", ")}${entities.length > shown.length ? " and more" : ""}.`;
  const fits = `“${clip(text, limits.optionValue)}” could be more than one ${kind}:${candidates}`;
  return question(`${fits}${unchanged(context)} Choose one, or give the id.`, shown.map(optionOf));
}

/** The one entity that may be meant. */
export function oneMeant(entity: Named, context: ReadingContext): Reading {
  return question(`Do you mean ${entityLabel(entity)}?${unchanged(context)}`, [optionOf(entity)]);
}

/** Nothing has this name: offers the nearest, and the text as an id where it could be one. */
export function noneFits(
  kind: ReferenceKind,
  { text, what, isAddress, listed = "" }: Unknown,
  { nearest, couldBeId }: { readonly nearest: readonly Named[]; readonly couldBeId: boolean },
  context: ReadingContext,
): Reading {
  const near = nearest.slice(0, couldBeId ? maxOptions - 1 : maxOptions);
  const meant = near.length > 0 ? ` Did you mean ${near.map(entityLabel).join(" or ")}?` : "";
  const page = consolePages[kind];
  const ifUnknown = isAddress
    ? ` The service's console shows the id under ${page}. Type it after the address, or alone.`
    : ` If it is new, the service's console shows its id under ${page}.`;
  const ifNew = kind === "user" && isProgram(context.actor.userId) ? onlyKnownUsers : ifUnknown;
  const asId = { label: clip(`Use “${text}” as ${withArticle(kind)} id`, limits.buttonText), value: text };
  const asked = `${what}.${unchanged(context)}${meant}${ifNew}${listed}`;
  const options = [...near.map(optionOf), ...(couldBeId ? [asId] : [])];
  return isAddress ? { kind: "choice", text: asked, options, takesId: true } : question(asked, options);
}

/** What Curfew knows of an address or an id differs from what was typed. */
export function knownOtherwise(typed: string, entity: Named, context: ReadingContext): Reading {
  const known = `Curfew knows ${entityLabel(entity)}${entity.email ? `, ${entity.email}` : ""}.`;
  const text = `That does not fit “${clip(typed, limits.optionValue)}”: ${known}${unchanged(context)} Choose them, or give only the right id.`;
  return { kind: "choice", text, options: [optionOf(entity)], takesId: true };
}

interface Unknown {
  readonly text: string;
  /** What to say first, without its full stop. */
  readonly what: string;
  readonly isAddress: boolean;
  readonly listed?: string;
}

/** Names the command that lists this kind, to follow another sentence; empty without one. */
export function whereListed(kind: EntityKind): string {
  const words = `${kind} list`;
  return commandOf(words) ? ` “${words}” shows those that Curfew knows.` : "";
}

/** Where the service's console shows the ids of a kind. */
const consolePages: Readonly<Record<ReferenceKind, string>> = {
  action: "Actions",
  credential: "Credentials",
  exclusion: "Action exclusions",
  plan: "Plans",
  policy: "Managed policies",
  project: "Projects",
  selector: "the selectors of its plan",
  user: "Users",
};

const withArticle = (kind: ReferenceKind): string => `${/^[ae]/.test(kind) ? "an" : "a"} ${kind}`;

/** A question without answers is only a problem. */
function question(text: string, options: readonly ChoiceOption[]): Reading {
  return options.length === 0 ? problem(text) : { kind: "choice", text, options };
}

function unchanged({ command }: ReadingContext): string {
  return command?.kind === "query" && command.offeredFor === undefined ? "" : " Nothing was changed.";
}

function optionOf(entity: Named): ChoiceOption {
  return { label: entityLabel(entity), value: entity.id };
}

/** The name is cut rather than the id, so that no two labels are the same. */
function entityLabel({ id, name }: Pick<Named, "id" | "name">): string {
  if (!name || name === id) return clip(id, limits.buttonText);
  const room = Math.max(limits.buttonText - id.length - " ()".length, 10);
  return clip(`${clip(name, room)} (${id})`, limits.buttonText);
}

const isExclusion = (entity: Named): entity is Entity<"exclusion"> => entity.kind === "exclusion";

/** Who made it, until when it lasts, and what it is called. */
async function exclusionLine(exclusion: Entity<"exclusion">, context: ReadingContext): Promise<string> {
  const { ownerId, body } = exclusion;
  const { actor } = context;
  const owner = ownerId === actor.userId ? "you" : ownerId === null ? undefined : await context.nameOf(ownerId);
  const end = expiryOf(body);
  const until = end === undefined ? [] : [`until ${formatMoment(Math.floor(end / 60_000) * 60_000, actor.timeZone)}`];
  const made = owner === undefined ? "not made through Curfew" : `made by ${owner}`;
  return [`${entityLabel(exclusion)}`, made, ...until, ...(isSwitchedOff(body) ? ["switched off"] : [])].join(", ");
}
