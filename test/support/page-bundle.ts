import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The page's client as `npm run build` makes it, in a folder of its own. */
export function buildPage(): { readonly folder: string; remove(): void } {
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(readFileSync("package.json", "utf8"));
  const folder = mkdtempSync(join(tmpdir(), "curfew-page-"));
  const bundling = scripts["bundle:page"]?.replace("--outdir=dist/page", `--outdir=${folder}`);
  if (bundling === undefined) throw new Error("package.json has no script bundle:page.");
  execFileSync("sh", ["-c", bundling], { env: { PATH: `${resolve("node_modules/.bin")}:${process.env.PATH}` } });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
