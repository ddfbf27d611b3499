import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Bundles a file of the bench into a folder, as `npm run bundle` does with Curfew. Returns the bundle's path. */
export function bundled(file: string, folder: string): string {
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(readFileSync("package.json", "utf8"));
  const bundling = scripts.bundle
    ?.replace("src/main.ts", `test/bench/${file}.ts`)
    .replace("--outdir=dist", `--outdir=${folder}`);
  if (bundling === undefined) throw new Error("package.json has no script bundle.");
  execFileSync("sh", ["-c", bundling], { env: { PATH: `${resolve("node_modules/.bin")}:${process.env.PATH}` } });
  return join(folder, `${file}.js`);
}
