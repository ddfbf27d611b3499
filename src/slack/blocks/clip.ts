/** The text, cut to at most `limit` characters with an ellipsis where something was left out. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
