import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Names the folder for the bundles. */
export const builtIn = "CURFEW_BUILT_IN";

let folder: string | undefined;

/** The folder with everything that `npm run build` bundles. Built once per process, since it takes seconds. */
export function built(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(process.env[builtIn] ?? tmpdir(), "built-"));
  const { scripts }: { scripts: { bundle: string; "bundle:page": string } } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  for (const step of [scripts.bundle, scripts["bundle:page"]])
    execFileSync("sh", ["-c", step.replace("--outdir=dist", `--outdir=${made}`)], {
      env: { CURFEW_COMMIT: "c0ffee1", PATH: `${resolve("node_modules/.bin")}:${process.env.PATH}` },
    });
  folder = made;
  return made;
}

/** The folder with the page's client. */
export function builtPage(): string {
  return join(built(), "page");
}
