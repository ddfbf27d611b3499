/** Characters that nobody sees, such as those of no width and those that turn the writing around: pasted along, they are no part of an id. */
export function withoutInvisible(text: string): string {
  return text.replace(/\p{Cf}/gu, "");
}

/** A name that Azure gives a group of resources may be written in any letters; everything else in an id is ASCII. */
const azurePath = /^\/subscriptions\//i;
const azureText = /^[\p{L}\p{M}\p{N}\x21-\x7e]*$/u;

/** Why a text is no id: letters that only look like those of an id name something else, or nothing. Undefined where all of it can be. */
export function oddLetters(id: string): string | undefined {
  const isFit = azurePath.test(id)
    ? azureText.test(id) && id.normalize("NFKC") === id.normalize("NFC")
    : /^[\x21-\x7e]*$/.test(id);
  if (isFit) return undefined;
  const odd = [...id].find((letter) => !/[\x21-\x7e]/.test(letter)) ?? "";
  const code = odd.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `“${id}” does not look like an id: it contains “${odd}” (U+${code}), which is not a plain letter, digit or sign. Type it anew.`;
}
