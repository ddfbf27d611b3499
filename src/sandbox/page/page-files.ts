import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** By path; nothing else in the folder is served. */
const files: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  "/": { name: "page.html", type: "text/html; charset=utf-8" },
  "/page.js": { name: "page.js", type: "text/javascript; charset=utf-8" },
  "/page.css": { name: "page.css", type: "text/css; charset=utf-8" },
  "/icon.svg": { name: "icon.svg", type: "image/svg+xml" },
};

/** Whatever a message may hold, the page runs nothing but its own script, talks to nobody but its server and stands in no other page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

export function isPageFile(path: string): boolean {
  return Object.hasOwn(files, path);
}

/** Read on every request, since a new build may have replaced it; undefined when the page was not built. */
export async function readPageFile(folder: string, path: string) {
  const file = files[path];
  if (file === undefined) return undefined;
  const content = await readFile(join(folder, file.name)).catch(() => undefined);
  return content && { content, type: file.type };
}
