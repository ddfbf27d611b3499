/** Characters that control a terminal, reverse text (bidi), are invisible (zero width) or break a line unexpectedly. */
export const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes unsafe characters as JSON escapes, such as `\u001b`, and keeps line feeds. JSON text keeps its meaning. */
export function escapeUnsafe(text: string): string {
  return text.replace(unsafeCharacters, (character) => (character === "\n" ? character : escapeUnits(character)));
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
