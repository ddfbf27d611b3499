/** The keys of readable text and link addresses in Slack's messages, blocks and attachments. */
const readKeys = new Set(["text", "title", "pretext", "fallback", "value", "url", "title_link"]);

/** The limit for all parts together: a longer search would block other requests. */
export const longestMessage = 40_000;
const maxParts = 20_000;

/**
 * All readable text in a message, its blocks and its attachments, one line each, without Slack's markup of links and
 * escapes. Undefined if it is too long.
 */
export function messageText(message: unknown): string | undefined {
  const texts: string[] = [];
  let length = 0;
  let parts = 0;
  // Iterative rather than recursive: an attachment may be nested as deep as its sender likes.
  const rest = partsOf([message]);
  while (rest.length > 0) {
    const value = rest.pop();
    const inner = partsOf(value);
    parts += inner.length;
    length += typeof value === "string" ? value.length : 0;
    if (length > longestMessage || parts > maxParts) return undefined;
    if (typeof value === "string") texts.push(unescapeMrkdwn(value));
    for (const part of inner.reverse()) rest.push(part);
  }
  return texts.join("\n");
}

/** The readable texts in a value, and the objects that may hold more, in order. */
function partsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "object");
  if (typeof value !== "object" || value === null) return [];
  // A button's value is for its app, not for readers.
  const isElement = "action_id" in value;
  return Object.entries(value).flatMap(([key, item]) => {
    if (typeof item === "object") return [item];
    return readKeys.has(key) && typeof item === "string" && !(isElement && key === "value") ? [item] : [];
  });
}

/** Splits `<https://x|label>` into its two parts, then unescapes the three characters that Slack escapes (PLATFORM.md §10). */
function unescapeMrkdwn(text: string): string {
  return text.replace(/[<>|]/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
