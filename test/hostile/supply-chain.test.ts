import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

const lines = readFileSync("Dockerfile", "utf8").replaceAll("\\\n", " ").split("\n");
const argumentsOf = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly dev?: boolean; readonly hasInstallScript?: boolean }>
  >;
}
const { packages }: Lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

describe("the image's supply chain", () => {
  it("starts from one base image, pinned by digest", () => {
    const images = argumentsOf("FROM").map((from) => from.split(" ")[0]);
    expect(images).toHaveLength(3);
    expect(new Set(images).size).toBe(1);
    for (const image of images) expect(image).toMatch(/^node:\d+-slim@sha256:[0-9a-f]{64}$/);
  });

  it("runs no install script of a package in the image or CI", () => {
    const installs = [...argumentsOf("RUN"), ...readFileSync(".ci/run", "utf8").split("\n")].filter((line) =>
      /\bnpm (?:ci|i|install)\b/.test(line),
    );
    expect(installs).toHaveLength(2);
    expect(installs.filter((line) => !line.includes("--ignore-scripts"))).toEqual([]);
  });

  it("has a list of the packages with such scripts, so a new one needs review", () => {
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(scripted.map(([path]) => nameOf(path)).sort()).toEqual(["@photostructure/sqlite", "esbuild"]);
  });

  it("installs every package from the lock file with its hash", () => {
    const remote = Object.entries(packages).filter(([path]) => path !== "");
    const unhashed = remote.filter(([, entry]) => !("integrity" in entry));
    expect(unhashed.map(([path]) => path)).toEqual([]);
  });

  it("includes an SBOM with exactly the lock file's production packages", () => {
    const [command = "", ...others] = argumentsOf("RUN").filter((run) => run.includes("npm sbom "));
    expect(others).toEqual([]);
    const [, file = ""] = / > (\S+)$/.exec(command) ?? [];
    expect(argumentsOf("COPY")).toContain(`--from=sbom /app/${file} ./`);
    const folder = mkdtempSync(join(tmpdir(), "curfew-sbom-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ["package.json", "package-lock.json"]) cpSync(name, join(folder, name));
    execFileSync("sh", ["-c", command], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    const sbom: { components: { name: string; version: string }[] } = JSON.parse(
      readFileSync(join(folder, file), "utf8"),
    );
    const named = new Set(sbom.components.map(({ name, version }) => `${name}@${version}`));
    const production = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
    const wanted = new Set(production.map(([path, { version }]) => `${nameOf(path)}@${version}`));
    expect(wanted.size).toBeGreaterThan(100);
    expect([...wanted].filter((each) => !named.has(each))).toEqual([]);
    expect([...named].filter((each) => !wanted.has(each))).toEqual([]);
  }, 60_000);
});
