/** Where Slack's messages, their blocks and their attachments keep what is read, and the addresses of links. */
const readKeys = new Set(["text", "title", "pretext", "fallback", "value", "url", "title_link"]);

/** All that a message says, in its text, its blocks and its attachments, a line each, without Slack's markup of links and escapes. */
export function messageText(message: unknown): string {
  return textsIn(message).map(unescapeMrkdwn).join("\n");
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  // What a button carries is for its app and is read by nobody.
  const isElement = "action_id" in value;
  return Object.entries(value).flatMap(([key, item]) => {
    if (typeof item !== "string") return textsIn(item);
    return readKeys.has(key) && !(isElement && key === "value") ? [item] : [];
  });
}

/** `<https://x|label>` is both its parts; then the three characters that Slack escapes (platform.md §10). */
function unescapeMrkdwn(text: string): string {
  return text.replace(/[<>|]/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
