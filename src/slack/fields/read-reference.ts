import type { ReferenceField, ReferenceKind } from "../../commands/field.ts";
import type { Entity } from "../../directory/directory.ts";
import { exclusionsCovering, type NamingRules, resolveName } from "../../directory/resolve-name.ts";
import { isProgram } from "../../permissions/actor.ts";
import { couldBeId } from "../../service/could-be-id.ts";
import { clip, limits } from "../messages/message.ts";
import { addressWithId, readAddressWithId } from "./address-with-id.ts";
import { missing, problem, type Reading, type ReadingContext, value } from "./field-kind.ts";
import { oddLetters, unwrapLinks, withoutInvisible } from "./plain-letters.ts";
import { plansNamed } from "./plans-named.ts";
import { noneFits, oneMeant, severalFit, whereListed } from "./reference-choice.ts";

const { selectOptions: maxReferences, optionValue: maxIdLength } = limits;

type Wanted = Pick<ReferenceField, "to" | "refusesUnknown">;

/** Reads what was typed for one entity. */
export async function readOne(
  { to: kind, refusesUnknown }: Wanted,
  typed: string,
  context: ReadingContext,
): Promise<Reading> {
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
    : `Curfew knows no ${kind} called “${clip(text, maxIdLength)}”`;
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
  if (read.kind === "several") return severalFit(kind, text, read.entities, context);
  const planned = kind === "exclusion" ? await plansNamed(text, context) : undefined;
  if (planned) return planned;
  if (read.couldBeId && (refusesUnknown || (await isUnlisted(kind, context)))) return value(text);
  const odd = isAddress || /\s/.test(text) ? undefined : oddLetters(text);
  if (odd !== undefined && read.nearest.length === 0) return problem(odd);
  const isKnownOnly = kind === "user" && isProgram(context.actor.userId);
  const isOther = isAddress || isKnownOnly || (kind === "exclusion" && isGroup(text, context));
  const couldBeId = read.couldBeId && !isOther;
  return noneFits(kind, { text, what, isAddress, listed: whereListed(kind) }, { ...read, couldBeId }, context);
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
    return problem("You have no exclusion in force. Nothing was changed. “exclusion list” shows those of others.");
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
  const sources = { directory, groups: settings.resourceGroups, now };
  return {
    ...(command
      ? {
          nameable: (entities) => nameable(entities, command),
          usable: async (entities) => usable(entities, command),
        }
      : {}),
    ...(kind === "exclusion" ? { otherwise: (text) => exclusionsCovering(text, sources) } : {}),
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
export async function readSeveral(wanted: Wanted, typed: readonly string[], context: ReadingContext): Promise<Reading> {
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
export async function readInstead(wanted: Wanted, typed: string, context: ReadingContext): Promise<Reading> {
  const read = await readOne(wanted, typed, context);
  const [only, ...others] = read.kind === "choice" ? read.options : [];
  return only?.value === typed.trim() && others.length === 0 ? value(only.value) : read;
}

/** Reads the value of a form's option: an id, also one that Curfew has not seen. */
export function readChosen(option: string): Reading {
  const id = option.trim();
  if (id === "") return missing;
  return couldBeId(id) ? value(id) : problem(`“${clip(id, maxIdLength)}” is not an id.`);
}

export function readSeveralChosen(options: readonly string[]): Reading {
  const read = options.map(readChosen);
  return read.find(({ kind }) => kind === "problem") ?? value([...new Set(valuesOf(read))]);
}

const valuesOf = (read: readonly Reading[]): readonly unknown[] =>
  read.flatMap((each) => (each.kind === "value" ? [each.value] : []));
