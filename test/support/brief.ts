const longest = 60;

/** Formats a value for a test's title. */
export function brief(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > longest ? `${text.slice(0, longest)}… of ${text.length} characters` : text;
}

/** Cases for `test.each`, each with a title built from its first part. */
export function titled<const C extends readonly unknown[]>(cases: readonly C[]): readonly (readonly [string, ...C])[] {
  return cases.map((parts) => [brief(parts[0]), ...parts]);
}
