/** What steers a terminal (controls), turns text around (bidi), cannot be seen (zero width) or breaks a line where nobody expects it. */
export const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with its unsafe characters written as JSON writes them, such as `\u001b`; line feeds stay. In JSON text it means the same. */
export function escapeUnsafe(text: string): string {
  return text.replace(unsafeCharacters, (character) => (character === "\n" ? character : escapeUnits(character)));
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
