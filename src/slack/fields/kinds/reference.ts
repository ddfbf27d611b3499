import { onlyKnownUsers } from "../../../changes/authorize/decide-change.ts";
import { commandOf } from "../../../commands/catalogue.ts";
import { expiryOf, isSwitchedOff } from "../../../commands/exclusion/exclusion-body.ts";
import { findPlans, whatOf, whenOf } from "../../../commands/exclusion/planned/plans.ts";
import type { Field, Input, ReferenceField, ReferenceKind } from "../../../commands/field.ts";
import { knownMachines } from "../../../commands/lookup/may-see.ts";
import type { Directory, Entity, EntityKind, PlacedDirectory } from "../../../directory/directory.ts";
import { exclusionsCovering, type NamingRules, resolveName } from "../../../directory/resolve-name.ts";
import { resourcesInWord } from "../../../directory/resources.ts";
import { isProgram, isSameAddress } from "../../../permissions/actor.ts";
import { type Accounts, accountOf, canonicalId } from "../../../service/account-ids.ts";
import { couldBeId } from "../../../service/resources.ts";
import { shortMoment } from "../../../time/format-moment.ts";
import { clip, cut, limits } from "../../messages/text.ts";
import {
  type ChoiceOption,
  type FieldKind,
  missing,
  plainText,
  problem,
  type Reading,
  type ReadingContext,
  typedInput,
  value,
} from "../field-kind.ts";
import { oddLetters, unwrapLinks, withoutInvisible } from "../plain-letters.ts";

/**
 * An entity of the service, by id, unambiguous name or start of a name; a user also by e-mail address or Slack mention, an exclusion by
 * what it covers. Its value is the id. What Curfew does not know is only used as an id when a person chooses that.
 */
export const referenceKind: FieldKind<ReferenceField> = {
  usage: ({ label, multiple }) => `<${label.toLowerCase()}${multiple ? ",…" : ""}>`,
  example: ({ to }) => examples[to],
  fromLine: async (field, words, context) => {
    const texts = words.map((word) => word.value);
    if (!field.multiple) return readOne(field, texts.join(" "), context);
    const each = texts.flatMap((text) => text.split(","));
    return readSeveral(field, each, context);
  },
  draw: async ({ to, multiple }, { value: id, typed }, { directory }) => {
    if (multiple) return drawSeveral(to, id, directory);
    if (typed !== undefined && id === undefined && isNoId(typed)) return drawTyped(to, typed);
    const isId = typeof id === "string" && !/[\s<>]/.test(id);
    return {
      type: "external_select",
      action_id: suggestionId(to),
      min_query_length: 0,
      placeholder: plainText("Type a name or an id"),
      ...(isId ? { initial_option: await knownOption(to, id, directory) } : {}),
    };
  },
  fromState: async ({ multiple, ...field }, { value: typed, selected_option, selected_options }, context) => {
    if (typed) return readInstead(field, typed, context);
    const options = (selected_options ?? []).map((option) => option.value);
    if (multiple) return readSeveralChosen(options, context.settings.accounts);
    const chosen = selected_option?.value ?? "";
    return field.to === "user" && chosen.includes("@")
      ? readOne(field, chosen, context)
      : readChosen(chosen, context.settings.accounts);
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

/** An address, a mention or a name of several words. Sending a form as it opens must not make an id of a typed word. */
const isNoId = (typed: string): boolean => typed.includes("@") || !couldBeId(typed);

/** Words that name nothing known: a select would lose them, and shows nowhere that an id can be pasted. */
function drawTyped(kind: ReferenceKind, typed: string) {
  // A mention is an address that nobody can read.
  const words = typed.startsWith("<") ? "" : typed;
  return { ...typedInput(words, maxIdLength), placeholder: plainText(`Its id, such as ${examples[kind]}`) };
}

async function drawSeveral(kind: EntityKind, ids: unknown, directory: Directory) {
  const options = await Promise.all(
    (Array.isArray(ids) ? ids : []).map((id) => knownOption(kind, String(id), directory)),
  );
  return {
    type: "multi_external_select",
    action_id: suggestionId(kind),
    min_query_length: 0,
    placeholder: plainText("Type names or ids"),
    ...(options.length ? { initial_options: options } : {}),
  } as const;
}

const knownOption = async (kind: EntityKind, id: string, directory: Directory) =>
  optionFor((await directory.get(kind, id)) ?? { id, name: null });

const suggestionId = (kind: EntityKind): string => `reference:${kind}`;

/** An option of a select; Slack allows 75 characters of text and 150 of value (PLATFORM.md §8.5). `more` follows the name. */
export function optionFor({ id, name }: { readonly id: string; readonly name: string | null }, more?: string) {
  const value = cut(id, maxIdLength);
  if (more === undefined) return { text: plainText(clip(name && name !== id ? `${name} (${id})` : id, 75)), value };
  const end = clip(` — ${more}`, 55);
  return { text: plainText(`${clip(name || id, 75 - end.length)}${end}`), value };
}

/** An option for an id that Curfew has not seen; or for an address, which is no id: choosing it says where the id is found. */
export function newOption(typed: string, isAddress: boolean) {
  const says = isAddress ? "” is not known: type the id" : "” (new to Curfew, used as an id)";
  return { text: plainText(`“${clip(typed, 75 - says.length - 1)}${says}`), value: cut(typed, maxIdLength) };
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

const { selectOptions: maxReferences, optionValue: maxIdLength } = limits;

type Wanted = Pick<ReferenceField, "to" | "refusesUnknown">;

/** Reads what was typed for one entity. */
async function readOne({ to: kind, refusesUnknown }: Wanted, typed: string, context: ReadingContext): Promise<Reading> {
  const mention = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(typed.trim());
  if (mention?.[1] !== undefined) return readMention(kind, mention[1], context);
  const pair = kind === "user" ? addressWithId(typed) : undefined;
  if (pair) return readAddressWithId(typed, pair, context);
  const text = unwrapLinks(withoutInvisible(typed))
    .trim()
    .replace(/^<mailto:([^|>]+)(?:\|[^>]*)?>$/, "$1");
  if (text === "") return missing;
  if (kind === "user" && /^(?:me|myself)$/i.test(text)) return readMention(kind, context.actor.userId, context);
  const isAddress = kind === "user" && /^[^\s<>@]*@[^\s<>]*$/.test(text);
  const what = isAddress
    ? `Curfew knows no service user with the address ${text}`
    : `Curfew knows no ${nounOf(kind)} called “${clip(text, maxIdLength)}”`;
  return resolve(kind, { text, what, isAddress, refusesUnknown }, context);
}

interface Sought {
  readonly text: string;
  /** What to say when nothing is found, without its full stop. */
  readonly what: string;
  readonly isAddress: boolean;
  readonly refusesUnknown?: true | undefined;
}

async function resolve(
  kind: ReferenceKind,
  { text, what, isAddress, refusesUnknown }: Sought,
  context: ReadingContext,
): Promise<Reading> {
  if (kind === "exclusion" && pronoun.test(text)) return readOwn(text, context);
  const rules = namingRules(kind, context);
  const whole = await resolveName(kind, text, context.directory, rules);
  const bare = whole.kind === "none" ? withoutNoun(kind, text) : undefined;
  const named = bare === undefined ? whole : await resolveName(kind, bare, context.directory, rules);
  const read = named.kind === "none" ? whole : named;
  if (read.kind === "found") return value(read.entity.id);
  if (read.kind === "several") {
    const [first, ...others] = read.entities.toSorted((one, other) => one.id.length - other.id.length);
    const accounts = new Set(read.entities.map(({ id }) => accountOf(id)));
    const isOnePerson =
      first?.email &&
      accounts.size === read.entities.length &&
      others.every(({ email }) => isSameAddress(email, first.email));
    if (isOnePerson && context.command?.kind === "change" && context.command.isForEveryAccount) return value(first.id);
    return severalFit(kind, text, read.entities, context);
  }
  const planned = kind === "exclusion" ? await plansNamed(text, context) : undefined;
  if (planned) return planned;
  if (read.couldBeId && (refusesUnknown || (await isUnlisted(kind, context))))
    return value(canonicalId(text, context.settings.accounts));
  const odd = isAddress || /\s/.test(text) ? undefined : oddLetters(text);
  if (odd !== undefined && read.nearest.length === 0) return problem(odd);
  const isKnownOnly = kind === "user" && isProgram(context.actor.userId);
  const isOther = isAddress || isKnownOnly || (kind === "exclusion" && isGroup(text, context));
  const couldBeId = read.couldBeId && !isOther;
  return noneFits(kind, { text, what, isAddress }, { ...read, couldBeId }, context);
}

/** The name of a group is no id. */
const isGroup = (text: string, { settings }: ReadingContext): boolean =>
  Object.keys(settings.resourceGroups).some((name) => name.toLowerCase() === text.toLowerCase());

const pronoun = /^(?:it|this|that|mine|this one|that one|my one|my exclusion)$/i;

/** "extend it": asks about the requester's own exclusions in force, also where there is only one: "it" names none. "mine" does, where nothing else is. */
async function readOwn(text: string, context: ReadingContext): Promise<Reading> {
  const own = await ownExclusions(context);
  const usable = context.command ? context.usable(own, context.command) : own;
  const [first, ...others] = usable;
  if (first === undefined)
    return problem("You keep nothing running. Nothing was changed. “list” shows what others keep.");
  if (others.length > 0) return severalFit("exclusion", text, usable, context);
  const isWhole = /^mine$/i.test(text) && !(await context.plans?.())?.some(({ ownerId }) => ownerId === first.ownerId);
  return isWhole ? value(first.id) : oneMeant(first, context);
}

/** Those in force that the requester made, soonest to end first. */
export async function ownExclusions({
  directory,
  now,
  actor,
}: Pick<ReadingContext, "directory" | "now" | "actor">): Promise<readonly Entity<"exclusion">[]> {
  return (await directory.liveExclusions(now)).filter(({ ownerId }) => ownerId === actor.userId);
}

/** "the user bob", "the account of bob" and "the staging exclusion" name bob and staging. */
function withoutNoun(kind: ReferenceKind, text: string): string | undefined {
  const noun = kind === "user" ? "(?:account of user|account of|user account|user|account)" : kind;
  const [, after, before] = new RegExp(`^(?:${noun} (.+)|(.+) ${noun})$`, "i").exec(text) ?? [];
  return after ?? before;
}

/** While the service does not list its actions, there is nothing to tell an unknown one from. The only command about one reads it. */
async function isUnlisted(kind: ReferenceKind, { directory }: ReadingContext): Promise<boolean> {
  return kind === "action" && (await directory.search(kind, "", 1)).length === 0;
}

/** Names only what the requester may see for the command. */
function namingRules(kind: ReferenceKind, context: ReadingContext): NamingRules<ReferenceKind> {
  const { command, nameable, usable, directory, settings, now } = context;
  const covering = (text: string) => {
    const machines = knownMachines(text, context).map(({ id }) => id);
    return exclusionsCovering(text, {
      directory,
      groups: settings.resourceGroups,
      accounts: settings.accounts,
      machines,
      now,
    });
  };
  return {
    accounts: settings.accounts,
    ...(command
      ? {
          nameable: (entities) => nameable(entities, command),
          usable: async (entities) => usable(entities, command),
        }
      : {}),
    ...(kind === "exclusion" ? { otherwise: covering } : {}),
  };
}

const noAddress =
  "That Slack profile shows no e-mail address. Give the id, which the service's console shows under Users.";

async function readMention(kind: ReferenceKind, slackUserId: string, context: ReadingContext): Promise<Reading> {
  if (kind !== "user") return problem(`A person is not a ${kind}. Give its name or id.`);
  const email = await context.emailOf(slackUserId);
  if (!email) return problem(noAddress);
  const what = `Curfew knows no service user with ${email} (the address in Slack)`;
  return resolve(kind, { text: email, what, isAddress: true }, context);
}

/** Reads a list. An empty one is a value: an entity may refer to nothing. */
async function readSeveral(wanted: Wanted, typed: readonly string[], context: ReadingContext): Promise<Reading> {
  const texts = new Set(typed);
  // Checked first: each one needs a look-up.
  if (texts.size > maxReferences) return problem(`That is ${texts.size}; at most ${maxReferences} are allowed.`);
  const read: Reading[] = [];
  let question: Extract<Reading, { kind: "choice" }> | undefined;
  for (const text of texts) {
    const one = await readOne(wanted, text, context);
    if (one.kind === "problem") return one;
    // An answer is the whole list, so there is none while two are open.
    if (one.kind === "choice" && question) return problem(`${question.text} ${one.text}`);
    if (one.kind === "choice") question = one;
    read.push(one);
  }
  if (question === undefined) return value([...new Set(valuesOf(read))]);
  return {
    ...question,
    options: question.options.map(({ label, value: answer }) => ({
      label,
      value: [...new Set(read.flatMap((each) => (each === question ? [answer] : valuesOf([each]))))],
    })),
  };
}

/** Reads what was typed in place of a form's option. One word that nothing is called is an id: the form asks for one. */
async function readInstead(wanted: Wanted, typed: string, context: ReadingContext): Promise<Reading> {
  const read = await readOne(wanted, typed, context);
  const [only, ...others] = read.kind === "choice" ? read.options : [];
  return only?.value === typed.trim() && others.length === 0 ? value(only.value) : read;
}

/** Reads the value of a form's option: an id, also one that Curfew has not seen. */
function readChosen(option: string, accounts: Accounts): Reading {
  const id = option.trim();
  if (id === "") return missing;
  return couldBeId(id, accounts)
    ? value(canonicalId(id, accounts))
    : problem(`“${clip(id, maxIdLength)}” is not an id.`);
}

function readSeveralChosen(options: readonly string[], accounts: Accounts): Reading {
  const read = options.map((option) => readChosen(option, accounts));
  return read.find(({ kind }) => kind === "problem") ?? value([...new Set(valuesOf(read))]);
}

const valuesOf = (read: readonly Reading[]): readonly unknown[] =>
  read.flatMap((each) => (each.kind === "value" ? [each.value] : []));

/** A user by their address and the id that the service's console shows: Curfew may know neither. */
interface AddressWithId {
  /** An e-mail address, or a Slack user id. */
  readonly address: string;
  readonly isMention: boolean;
  readonly id: string;
}

const pair =
  /^(?:<@(?<person>[UW][A-Z0-9]+)(?:\|[^>]*)?>|(?:<mailto:[^|>]*\|)?(?<address>[^\s<>|@]+@[^\s<>|,;@]+)>?)[,;:]?\s+\(?(?<said>(?:with )?id:?\s+)?(?<id>[^\s()<>@]+)\)?$/i;

export function addressWithId(typed: string): AddressWithId | undefined {
  const { person, address, said, id } = pair.exec(unwrapLinks(withoutInvisible(typed)).trim())?.groups ?? {};
  // A word such as “now” is no id, unless somebody says so.
  if (id === undefined || !couldBeId(id) || !(said || /\d/.test(id))) return undefined;
  if (person !== undefined) return { address: person, isMention: true, id };
  return address === undefined ? undefined : { address, isMention: false, id };
}

/**
 * The id counts, as the person took it from the service: the answer then says the address, by which Curfew knows them from then on.
 * What contradicts what Curfew knows already is asked about.
 */
async function readAddressWithId(
  typed: string,
  { address, isMention, id }: AddressWithId,
  context: ReadingContext,
): Promise<Reading> {
  const { directory } = context;
  const email = isMention ? await context.emailOf(address) : address;
  if (!email) return value((await directory.get("user", id))?.id ?? id);
  const byAddress = await directory.match("user", email);
  const byId = await directory.get("user", id);
  if (byAddress.some((user) => user.id === byId?.id)) return value(byId?.id);
  const [other] = byAddress;
  const known = other ?? (byId?.email ? byId : undefined);
  if (!known) return value(byId?.id ?? id);
  const said = isMention ? `${email} (the address in Slack), ${id}` : typed.trim();
  return knownOtherwise(said, known, context);
}

/** More would not be read. */
const maxOptions = 5;
const aboutExclusions: ReadonlySet<string> = new Set(["exclusion end", "exclusion extend", "exclusion edit"]);

/** The plan that is meant where no exclusion is in force; undefined if there is none, or the command cannot be about one. */
async function plansNamed(text: string, context: ReadingContext): Promise<Reading | undefined> {
  if (!aboutExclusions.has(context.command?.words ?? "")) return undefined;
  const { plans, isPart } = await findPlans(text, context);
  const [first, ...others] = plans;
  if (!first) return undefined;
  if (others.length === 0 && !isPart) return value(first.id);
  const options = plans.slice(0, maxOptions).map((plan) => ({
    label: clip(`${whatOf(plan.resourceIds, context)}, ${whenOf(plan, context)}`, limits.buttonText),
    value: plan.id,
  }));
  const many = isPart
    ? `Only a part of “${clip(text, 100)}” is planned`
    : `“${clip(text, 100)}” is planned more than once`;
  return { kind: "choice", text: `${many}. Nothing was changed. Choose one.`, options };
}

type Named = Entity<ReferenceKind>;

/** Several entities fit the text, so it names none. */
async function severalFit(
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
  const fits = `“${clip(text, limits.optionValue)}” could be more than one ${nounOf(kind)}:${candidates}`;
  return question(`${fits}${unchanged(context)} Choose one, or give the id.`, shown.map(optionOf));
}

/** The one entity that may be meant. */
function oneMeant(entity: Named, context: ReadingContext): Reading {
  return question(`Do you mean ${entityLabel(entity)}?${unchanged(context)}`, [optionOf(entity)]);
}

/** Nothing has this name: offers the nearest, and the text as an id where it could be one. */
function noneFits(
  kind: ReferenceKind,
  { text, what, isAddress }: Sought,
  { nearest, couldBeId }: { readonly nearest: readonly Named[]; readonly couldBeId: boolean },
  context: ReadingContext,
): Reading {
  const near = nearest.slice(0, couldBeId ? maxOptions - 1 : maxOptions);
  const meant = near.length > 0 ? ` Did you mean ${near.map(entityLabel).join(" or ")}?` : "";
  const page = consolePages[kind];
  const ifUnknown = isAddress
    ? ` The service's console shows the id under “${page}”. Type it after the address, or alone.`
    : ` If it is new, the service's console shows its id under “${page}”.`;
  const ifNew = kind === "user" && isProgram(context.actor.userId) ? onlyKnownUsers : ifUnknown;
  const isMachine =
    kind === "exclusion" && (isGroup(text, context) || resourcesInWord(text, context.settings.accounts).length > 0);
  const asId = {
    label: clip(`Use “${text}” as ${withArticle(kind)} id`, limits.buttonText),
    value: canonicalId(text, context.settings.accounts),
  };
  const asked = isMachine
    ? `Nobody keeps ${clip(text, maxIdLength)} running or off, as far as you can see.${unchanged(context)}${meant}`
    : `${what}.${unchanged(context)}${meant}${ifNew}${whereListed(kind)}`;
  const options = [...near.map(optionOf), ...(couldBeId ? [asId] : [])];
  return isAddress ? { kind: "choice", text: asked, options, takesId: true } : question(asked, options);
}

/** What Curfew knows of an address or an id differs from what was typed. */
function knownOtherwise(typed: string, entity: Named, context: ReadingContext): Reading {
  const known = `Curfew knows ${entityLabel(entity)}${entity.email ? `, ${entity.email}` : ""}.`;
  const text = `That does not fit “${clip(typed, limits.optionValue)}”: ${known}${unchanged(context)} Choose them, or give only the right id.`;
  return { kind: "choice", text, options: [optionOf(entity)], takesId: true };
}

/** Names the command that lists this kind, to follow another sentence; empty without one. */
export function whereListed(kind: EntityKind): string {
  const words = `${kind} list`;
  return commandOf(words) ? ` “${kind === "exclusion" ? "list" : words}” shows those that Curfew knows.` : "";
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

const nounOf = (kind: ReferenceKind): string => (kind === "exclusion" ? "kept machine" : kind);
const withArticle = (kind: ReferenceKind): string => (kind === "action" ? "an action" : `a ${nounOf(kind)}`);

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
  const { actor, now } = context;
  const owner = ownerId === actor.userId ? "you" : ownerId === null ? undefined : await context.nameOf(ownerId);
  const end = expiryOf(body);
  const until = end === undefined ? [] : [`until ${shortMoment(end, actor.timeZone, now)}`];
  const made = owner === undefined ? "not made through Curfew" : `made by ${owner}`;
  return [`${entityLabel(exclusion)}`, made, ...until, ...(isSwitchedOff(body) ? ["switched off"] : [])].join(", ");
}
