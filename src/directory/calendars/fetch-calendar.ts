/** What `createCalendars` needs of `fetch`. */
export type FetchCalendar = (url: string, options: { readonly signal: AbortSignal }) => Promise<Response>;

const timeoutMs = 10_000;
/** A calendar of many years' holidays has some 100 kB. */
export const mostBytes = 2_000_000;

/** The text at an https address, within a time and a size. Throws with the reason otherwise. */
export async function fetchCalendar(fetch: FetchCalendar, url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (response.url !== "" && !response.url.startsWith("https:"))
    throw new Error("it leads to an address without https");
  if (!response.ok) throw new Error(`the answer is ${response.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > mostBytes) throw new Error(`it has more than ${mostBytes / 1_000_000} MB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
