/** Where Slack's messages, their blocks and their attachments keep what is read, and the addresses of links. */
const readKeys = new Set(["text", "title", "pretext", "fallback", "value", "url", "title_link"]);

/** In all its parts together: looking through more would keep everybody else waiting. */
export const longestMessage = 40_000;
const mostParts = 20_000;

/**
 * All that a message says, in its text, its blocks and its attachments, a line each, without Slack's markup of links and escapes.
 * Undefined for one that is too long to be read.
 */
export function messageText(message: unknown): string | undefined {
  const texts: string[] = [];
  let length = 0;
  let parts = 0;
  // A list of what is still to be looked at, not a call within a call: an attachment may be nested as deep as its sender likes.
  const rest = partsOf([message]);
  while (rest.length > 0) {
    const value = rest.pop();
    const inner = partsOf(value);
    parts += inner.length;
    length += typeof value === "string" ? value.length : 0;
    if (length > longestMessage || parts > mostParts) return undefined;
    if (typeof value === "string") texts.push(unescapeMrkdwn(value));
    for (const part of inner.reverse()) rest.push(part);
  }
  return texts.join("\n");
}

/** What may hold text, and the texts that are read, in their order. */
function partsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "object");
  if (typeof value !== "object" || value === null) return [];
  // What a button carries is for its app and is read by nobody.
  const isElement = "action_id" in value;
  return Object.entries(value).flatMap(([key, item]) => {
    if (typeof item === "object") return [item];
    return readKeys.has(key) && typeof item === "string" && !(isElement && key === "value") ? [item] : [];
  });
}

/** `<https://x|label>` is both its parts; then the three characters that Slack escapes (platform.md §10). */
function unescapeMrkdwn(text: string): string {
  return text.replace(/[<>|]/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
