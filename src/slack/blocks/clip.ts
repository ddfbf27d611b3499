/** At most `limit` characters of the text; a sign is never cut in two, since half of one cannot be written in UTF-8 and the whole message could not be sent. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/\p{Surrogate}$/u, "");
}

/** The text, cut to at most `limit` characters with an ellipsis where something was left out; a sign is never cut in two. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit - 1)}…`;
}
