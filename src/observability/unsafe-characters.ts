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

/** One line of CSV that a spreadsheet reads without running formulas. */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const visible = escapeUnsafe(text.replace(/\r\n?/g, "\n"));
  const harmless = formula.test(visible) ? `'${visible}` : visible;
  return /[",\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A spreadsheet would run such text as a formula. Some also accept the full-width and small forms of a sign. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]/u;

/** The text of a cell as it was before `csvLine` made it harmless. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
}
