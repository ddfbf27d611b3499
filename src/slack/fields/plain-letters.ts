import { withoutLookalikes } from "../messages/text.ts";

/** Without what comes along when an id is pasted: invisible characters, such as zero-width and bidi ones, and Curfew's look-alikes. */
export function withoutInvisible(text: string): string {
  return withoutLookalikes(text.replace(/\p{Cf}/gu, ""));
}

/** Web addresses without the angle brackets that Slack puts around them, and without their labels (PLATFORM.md §3.3). */
export function unwrapLinks(text: string): string {
  return text.replace(
    /<(https?:\/\/[^<>|\s]+)(?:\|[^<>]*)?>/gi,
    (_link, address: string) => ` ${address.replaceAll("&amp;", "&")} `,
  );
}

/** What people are called in Slack, by their user id. */
type NameOf = (slackUserId: string) => Promise<string | undefined>;

/**
 * Slack's marks as the person typed them: `<@U1|bob>` is @bob, a link is its address (PLATFORM.md §3.3). Other angle
 * brackets stay. `keepsMentions`: only links and addresses are unwrapped.
 */
export async function asTyped(text: string, nameOf: NameOf, keepsMentions = false): Promise<string> {
  const plain = text.replace(/<(?:mailto:|tel:|(?=https?:))([^<|>]+)(?:\|[^<>]*)?>/g, "$1");
  if (keepsMentions || !plain.includes("<")) return plain;
  const ids = new Set([...plain.matchAll(unnamed)].map(([, id = ""]) => id));
  const names = new Map(
    await Promise.all([...ids].slice(0, maxNamed).map(async (id) => [id, await nameOf(id)] as const)),
  );
  return plain
    .replace(unnamed, (_mark, id: string) => `@${names.get(id) ?? id}`)
    .replace(/<([@#])[^<|>]*\|([^<>]+)>/g, "$1$2")
    .replace(/<#([A-Z0-9]+)\|?>/g, "#$1");
}

/** Each name is a call of Slack. More people than that stay as ids. */
const maxNamed = 10;

const unnamed = /<@([UW][A-Z0-9]+)>/g;

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
