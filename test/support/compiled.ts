import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { builtIn } from "./built.ts";

const compiled = new Map<string, string>();

/** A TypeScript file of the tests as one file for Node, which starts at once; tsx would compile each of its imports at every start. */
export function compile(file: string): string {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(process.env[builtIn] ?? tmpdir(), "compiled-"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const outfile = join(folder, "program.mjs");
  buildSync({
    ...{ entryPoints: [file], outfile, bundle: true, platform: "node", target: "node20", format: "esm" },
    external: ["@photostructure/sqlite"],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  compiled.set(file, outfile);
  return outfile;
}
