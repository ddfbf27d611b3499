import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const lines = readFileSync("Dockerfile", "utf8").replaceAll("\\\n", " ").split("\n");
const argumentsOf = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

interface Package {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}
interface Lock {
  readonly packages: Readonly<Record<string, Package>>;
}
const { packages }: Lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const production = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
const run = readFileSync(".ci/run", "utf8");

const allowed = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "CC0-1.0", "Unlicense"];
/** The Mozilla licence asks for the source of changed files, and nothing is changed. */
const reviewed = ["ical.js: MPL-2.0"];
const ofThePage = ["preact", "slack-message-parser"];

describe("the image's supply chain", () => {
  it("starts from one base image, pinned by digest", () => {
    const images = argumentsOf("FROM").map((from) => from.split(" ")[0]);
    expect(images).toHaveLength(3);
    expect(new Set(images).size).toBe(1);
    for (const image of images) expect(image).toMatch(/^node:\d+-slim@sha256:[0-9a-f]{64}$/);
  });

  it("runs no install script of a package in the image, in CI or after the documents", () => {
    const installing = ["Dockerfile", ".ci/run", "README.md", "manifest/OPERATING.md"];
    const commands = installing.map(
      (file) => readFileSync(file, "utf8").match(/\bnpm (?:ci|i|install)\b[^`\n]*/g) ?? [],
    );
    expect(commands.map((found) => found.length)).toEqual([1, 1, 1, 1]);
    expect(commands.flat().filter((command) => !command.includes("--ignore-scripts"))).toEqual([]);
  });

  it("is built where NODE_ENV says production too: npm would leave out what builds it", () => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production" };
    expect(execFileSync("npm", ["config", "get", "omit"], { env, encoding: "utf8" }).trim()).toBe("");
    expect(execFileSync("npm", ["config", "get", "omit"], { env, encoding: "utf8", cwd: tmpdir() }).trim()).toBe("dev");
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

  it("includes an SBOM with exactly the lock file's production packages, as CI makes", () => {
    expect(argumentsOf("RUN")).toContain("npm run --silent sbom > sbom.cdx.json");
    expect(argumentsOf("COPY")).toContain("--from=sbom /app/sbom.cdx.json ./");
    expect(run).toContain("npm run --silent sbom >dist/sbom.cdx.json");
    const sbom: { components: { name: string; version: string }[] } = JSON.parse(
      execFileSync("npm", ["run", "--silent", "sbom"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
    );
    const named = new Set(sbom.components.map(({ name, version }) => `${name}@${version}`));
    const wanted = new Set(production.map(([path, { version }]) => `${nameOf(path)}@${version}`));
    expect(wanted.size).toBeGreaterThan(100);
    expect([...wanted].filter((each) => !named.has(each))).toEqual([]);
    expect([...named].filter((each) => !wanted.has(each))).toEqual([]);
  }, 60_000);

  it("bundles and ships only packages under licences that ask for no more than a notice", () => {
    const bundled = [...production, ...Object.entries(packages).filter(([path]) => ofThePage.includes(nameOf(path)))];
    const others = bundled.filter(([, { license = "none" }]) => !allowed.includes(license));
    expect(others.map(([path, { license }]) => `${nameOf(path)}: ${license}`)).toEqual(reviewed);
  });

  it("names every development package that the page's bundle takes in", () => {
    const dev = Object.entries(packages).filter(([, entry]) => entry.dev);
    const imported = readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(join("src", file), "utf8").matchAll(/\bfrom "([^.][^"]*)"/g)])
      .map(([, from = ""]) =>
        from
          .split("/")
          .slice(0, from.startsWith("@") ? 2 : 1)
          .join("/"),
      );
    const taken = dev.map(([path]) => nameOf(path)).filter((name) => imported.includes(name));
    expect(taken.sort()).toEqual(ofThePage);
  });

  it("verifies the registry's signatures in CI, or says that it could not", () => {
    expect(run).toContain("npm audit signatures");
    expect(run).toContain("Registry signatures are NOT verified");
  });
});
