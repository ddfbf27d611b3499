import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The only files served, by path. */
const files: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  "/": { name: "page.html", type: "text/html; charset=utf-8" },
  "/page.js": { name: "page.js", type: "text/javascript; charset=utf-8" },
  "/page.css": { name: "page.css", type: "text/css; charset=utf-8" },
  "/icon.svg": { name: "icon.svg", type: "image/svg+xml" },
};

/** Protects against hostile message content: the page runs only its own script, connects only to its server, and cannot be framed. */
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

/** Reads on every request, because a new build may replace the file. Undefined when the page is not built. */
export async function readPageFile(folder: string, path: string) {
  const file = files[path];
  if (file === undefined) return undefined;
  const content = await readFile(join(folder, file.name)).catch(() => undefined);
  return content && { content, type: file.type };
}
