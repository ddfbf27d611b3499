/** The text, cut to at most `limit` characters with an ellipsis where something was left out; a sign is never cut in two. */
export function clip(text: string, limit: number): string {
  // Half a sign cannot be written in UTF-8: the whole message could not be sent.
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
