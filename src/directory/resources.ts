import type { Machine } from "../config/settings.ts";
import { type Accounts, accountSaid, inAccount, splitId } from "../service/account-ids.ts";
import { type ResourceType, resourceKeys, resourceTypes } from "../service/resources.ts";
import { indexBy } from "../time/group-by.ts";
import { oncePer } from "../time/once-per.ts";

/** A way to write a resource that identifies it. */
interface ResourceForm {
  /** Matches anywhere in a text. Its group `id` is the resource's id where that is not the whole match. */
  readonly pattern: RegExp;
  /** Its ids are in lower case, even where a phone begins them with a capital. */
  readonly isLowerCase?: true;
  /** Undefined where several types share the form; the pattern's group `type` has precedence. */
  readonly type: ResourceType | undefined;
}

/** A short hexadecimal id needs a digit, or "i-face" would be a machine. It must not be part of a longer word. */
const hexId = (prefix: string, notAfter = ""): RegExp =>
  new RegExp(`(?<![a-z0-9-]${notAfter})${prefix}-(?=[a-f]*\\d|[a-f]{8})[0-9a-f]+(?![a-z0-9-])`, "gi");

/** The service uses the name at the end of an ARN. */
const arn = (service: string, kind: string, name = "(?<id>[a-z](?:[\\w.-]*[a-z0-9])?)"): RegExp =>
  new RegExp(`(?<![\\w:/.-])arn:aws[a-z-]*:${service}:[\\w-]*:\\d*:${kind}${name}(?![\\w:/-])`, "gi");

/** "amazon-rds-instance: orders", for resources that only have a name. */
const typeAndName = new RegExp(
  `(?<![\\w-])(?<type>${resourceTypes.join("|")})[*_\`]*[ \\t]*:[ \\t]*[*_\`"'“]*(?<id>[a-zA-Z0-9](?:[\\w.-]*[a-zA-Z0-9])?)(?![\\w:/-])`,
  "g",
);

/** As the cloud providers document them. The ARN of a Lightsail instance does not hold its name, so the whole ARN is its id. */
const resourceForms: readonly ResourceForm[] = [
  { pattern: hexId("i"), isLowerCase: true, type: "amazon-ec2-instance" },
  { pattern: hexId("vol"), isLowerCase: true, type: "amazon-ebs-volume" },
  { pattern: hexId("fs", "|elasticfilesystem:[\\w:-]*file-system/"), isLowerCase: true, type: "amazon-fsx-filesystem" },
  { pattern: arn("rds", "db:"), type: "amazon-rds-instance" },
  // The ARNs of DocumentDB clusters name RDS as well.
  { pattern: arn("rds", "cluster:"), type: undefined },
  { pattern: arn("redshift", "cluster:"), type: "amazon-redshift-cluster" },
  { pattern: arn("appstream", "fleet/"), type: "amazon-appstream-fleet" },
  { pattern: arn("lightsail", "Instance/", "[\\w-]+"), type: "amazon-lightsail-instance" },
  {
    pattern:
      /\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+\/providers\/Microsoft\.Compute\/virtualMachines\/[\w.-]*[a-z0-9]/gi,
    type: "azure-virtual-machine",
  },
  {
    pattern: /(?<![\w-])projects\/[^/\s]+\/zones\/[a-z0-9-]+\/instances\/[a-z0-9-]*[a-z0-9]/g,
    type: "google-vm-instance",
  },
  {
    pattern:
      /(?<![\w:/.-])(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]:[a-z]+-[a-z]+\d{1,2}:[a-z](?:[a-z0-9-]*[a-z0-9])?(?![\w:/-])/g,
    type: "google-cloudsql-instance",
  },
  // The address of a database in the AWS console.
  { pattern: /#database:id=(?<id>[a-z][\w-]*)(?![\w-]|;is-cluster=true)/gi, type: "amazon-rds-instance" },
  { pattern: /#database:id=(?<id>[a-z][\w-]*);is-cluster=true/gi, type: "amazon-rds-cluster" },
  { pattern: typeAndName, type: undefined },
];

/** The types whose ids have a fixed form. The ids of all other types are names that people chose. */
export const fixedForms: ReadonlyMap<string, { readonly pattern: RegExp; readonly example: string }> = new Map<
  ResourceType,
  { readonly pattern: RegExp; readonly example: string }
>([
  ["amazon-ec2-instance", { pattern: /^i-[0-9a-f]+$/i, example: "i-0f12ab34" }],
  ["amazon-ebs-volume", { pattern: /^vol-[0-9a-f]+$/i, example: "vol-0f12ab34" }],
  ["amazon-fsx-filesystem", { pattern: /^fs-[0-9a-f]+$/i, example: "fs-0f12ab34" }],
]);

/** One resource of a type, for people. */
export const typeWords: Readonly<Record<ResourceType, string>> = {
  "amazon-ec2-instance": "EC2 instance",
  "amazon-ebs-volume": "EBS volume",
  "amazon-rds-instance": "RDS instance",
  "amazon-rds-cluster": "RDS cluster",
  "amazon-documentdb-cluster": "DocumentDB cluster",
  "amazon-lightsail-instance": "Lightsail instance",
  "amazon-fsx-filesystem": "FSx file system",
  "amazon-appstream-fleet": "AppStream fleet",
  "amazon-redshift-cluster": "Redshift cluster",
  "azure-virtual-machine": "Azure VM",
  "google-vm-instance": "Google VM",
  "google-cloudsql-instance": "Cloud SQL instance",
};

/** All others have a colon or a slash. */
const plainForms = resourceForms.filter(({ isLowerCase }) => isLowerCase);

export interface FoundResource {
  readonly id: string;
  /** Undefined if neither the form nor the directory shows it. */
  readonly type: ResourceType | undefined;
  /** As written in the text. */
  readonly text: string;
}

interface Span extends FoundResource {
  readonly start: number;
}

/**
 * The resources in a text, each once, in order: by their form, and by known ids (with their types, if known). Where two readings
 * overlap, the one that begins first counts, then the longer.
 */
export function resourcesIn(
  text: string,
  known: ReadonlyMap<string, ResourceType | undefined>,
  accounts: Accounts = noAccounts,
): readonly FoundResource[] {
  const forms = /[:/]/.test(text) ? resourceForms : plainForms;
  const spans = [...knownSpans(text, known), ...forms.flatMap((form) => formSpans(text, form, accounts))];
  spans.sort((one, other) => one.start - other.start || other.text.length - one.text.length);
  const found = new Map<string, FoundResource>();
  let end = 0;
  for (const { start, id, type, text: words } of spans) {
    if (start < end) continue;
    end = start + words.length;
    found.set(id, { id, type: found.get(id)?.type ?? type, text: words });
  }
  return [...found.values()];
}

export function resourceTypeNamed(name: string | null | undefined): ResourceType | undefined {
  return resourceTypes.find((type) => type === name);
}

const noAccounts: Accounts = {};
const longestAccount = 20;

function formSpans(text: string, { pattern, type, isLowerCase }: ResourceForm, accounts: Accounts): readonly Span[] {
  return [...text.matchAll(pattern)].map((match) => {
    const before = text.slice(Math.max(0, match.index - longestAccount - 1), match.index);
    const [prefix = ""] = /(?<![\w./:-])[a-z][a-z0-9-]*\/$/i.exec(before) ?? [];
    const said = prefix === "" ? undefined : accountSaid(prefix, accounts);
    const id = match.groups?.id ?? (isLowerCase ? match[0].toLowerCase() : match[0]);
    return {
      start: match.index - (said ? prefix.length : 0),
      text: (said ? prefix : "") + match[0],
      id: said ? inAccount(said[0], id) : id,
      type: resourceTypeNamed(match.groups?.type) ?? type,
    };
  });
}

/** A known id is a separate word, perhaps with punctuation around it. */
function knownSpans(text: string, known: ReadonlyMap<string, ResourceType | undefined>): readonly Span[] {
  if (known.size === 0) return [];
  return [...text.matchAll(/[^\s,;"'`“”„‘’()[\]{}]+/g)].flatMap(({ index, 0: word }) => {
    const bare = withoutEnd(word);
    const inner = bare.replace(/^[*_~]+/, "");
    const id = [word, bare, inner].find((each) => known.has(each));
    return id === undefined ? [] : [{ start: index + word.indexOf(id), text: id, id, type: known.get(id) }];
  });
}

/** By hand, since a regular expression would try each place where these characters occur. */
function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 0 && ".:!?*_~".includes(word[end - 1] ?? "")) end--;
  return word.slice(0, end);
}

const noneKnown = new Map<string, ResourceType>();

/**
 * The resources that one word names by its form alone: an id, or an ARN, path or web address that holds ids. Empty for any other
 * word.
 */
export function resourcesInWord(word: string, accounts?: Accounts): readonly FoundResource[] {
  if (!/[-/:]/.test(word)) return [];
  const found = resourcesIn(word, noneKnown, accounts);
  const isWhole = found.length === 1 && found[0]?.text === word;
  return isWhole || /^(?:https?:\/\/|arn:)/i.test(word) ? found : [];
}

/** The type that all these ids have by their form; undefined when one has none or they differ. */
export function resourceTypeOf(ids: readonly string[]): ResourceType | undefined {
  const bare = ids.map((id) => splitId(id)[1]);
  const types = new Set(bare.map((id) => resourcesIn(id, noneKnown).find((found) => found.text === id)?.type));
  const [type] = types;
  return types.size === 1 ? type : undefined;
}

/** The known type and project of a resource, with their source. */
export interface ResourcePlace {
  /** As in the request. */
  readonly id: string;
  readonly source: "form" | "import" | "config" | "group" | "exclusion";
  /** The possible types; empty if unknown. */
  readonly types: readonly string[];
  readonly projectId: string | undefined;
  /** The group's name, or the exclusion's id. */
  readonly name: string | undefined;
  /** From an exclusion that was ended: it counts for rights and approvals, and is no contradiction. */
  readonly isPast: boolean;
}

/** Does not check whether a person may see a place: they named the resource. */
export type PlacesOf = (ids: readonly string[], exceptExclusion?: string) => Promise<readonly ResourcePlace[]>;

/** The types that an id can have by its form; empty if the form shows none. */
export function typesByForm(id: string): readonly ResourceType[] {
  const type = resourceTypeOf([id]);
  if (type) return [type];
  const [, bare] = splitId(id);
  if (!bare.toLowerCase().startsWith("arn:")) return [];
  if (/^arn:aws[a-z-]*:rds:[^:]*:[^:]*:cluster:/i.test(bare))
    return ["amazon-rds-cluster", "amazon-documentdb-cluster"];
  // The ARN of a machine or a volume holds its id.
  return [...new Set(resourcesIn(bare, noneKnown).flatMap((found) => found.type ?? []))];
}

/** The source of a place, to follow "as". */
export function sourceWords({ source, name }: ResourcePlace): string {
  switch (source) {
    case "form":
      return "its id shows";
    case "import":
      return "the imported list of machines says";
    case "config":
      return `the group ${name} of the config file says`;
    case "group":
      return "a saved resource group says";
    case "exclusion":
      return `exclusion ${name} says`;
  }
}

/** Whether an id may be of one of these resources: they are the same, or one is the name or id at the end of the other, an ARN. */
export function amongResources(resources: readonly string[] = []): (id: string) => boolean {
  const [wholes, keys] = [new Set(resources.map((id) => id.toLowerCase())), new Set(resources.flatMap(resourceKeys))];
  return (id) => keys.has(id.toLowerCase()) || resourceKeys(id).some((key) => wholes.has(key));
}

export type { Machine };

type Machines = readonly Machine[];

/** Those with exactly this id or name, ignoring case, in any account; an ARN is also found by the name at its end. */
export function machinesNamed(machines: Machines, word: string): Machines {
  if (machines.length === 0) return machines;
  return [...new Set(resourceKeys(word).flatMap((key) => indexOf(machines).get(key) ?? []))];
}

const keysOf = ({ id, name }: Machine): ReadonlySet<string> =>
  new Set([...resourceKeys(id), ...resourceKeys(splitId(id)[1]), ...(name ? [name.toLowerCase()] : [])]);

const indexOf = oncePer((machines: Machines) => indexBy(machines, keysOf));
