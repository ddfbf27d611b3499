import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Bundle, buildBundle } from "./bundle.ts";

const lines = readFileSync("Dockerfile", "utf8")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const runtime = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
const argumentsOf = (stage: readonly string[], instruction: string): string[] =>
  stage.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1).trim());
const copiedFromHere = argumentsOf(lines, "COPY")
  .filter((copy) => !copy.startsWith("--from="))
  .flatMap((copy) => copy.split(/\s+/).slice(0, -1));

const built = argumentsOf(lines, "RUN").find((run) => run.startsWith("npm run build")) ?? "";

describe("the Docker image", () => {
  test("contains neither the sandbox nor its page, and starts without them", async () => {
    const bundle = buildBundle();
    try {
      expect(filesOf(bundle)).toContain("page/page.html");
      expect(sourcesOf(bundle)).toContainEqual(expect.stringContaining("src/sandbox/"));
      execFileSync("sh", ["-c", built.replace("npm run build && ", "")], { cwd: bundle.folder });
      expect(filesOf(bundle).filter((path) => /page|sandbox/.test(path))).toEqual([]);
      expect(sourcesOf(bundle).filter((source) => source.includes("src/sandbox/"))).toEqual([]);
      expect(sourcesOf(bundle)).toContainEqual(expect.stringContaining("src/app.ts"));
      const curfew = bundle.start({ env: { NODE_ENV: "production" } });
      expect(await curfew.exited).toBe(1);
      expect(curfew.errors).toContain("SLACK_BOT_TOKEN is missing");
    } finally {
      await bundle.remove();
    }
  });

  test("is built from files that exist and that .dockerignore includes", () => {
    const ignore = readFileSync(".dockerignore", "utf8").split("\n");
    expect(copiedFromHere).toContain("src");
    expect(copiedFromHere.filter((path) => !existsSync(path))).toEqual([]);
    expect(ignore).toContain("*");
    expect(copiedFromHere.filter((path) => !ignore.includes(`!${path}`))).toEqual([]);
  });

  test("sends only copied files to the build", () => {
    const allowed = readFileSync(".dockerignore", "utf8").match(/^!.*$/gm) ?? [];
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual([...new Set(copiedFromHere)].sort());
  });

  test("runs the bundle in production as a non-root user, with a health check", () => {
    expect(argumentsOf(runtime, "USER")).toEqual(["node"]);
    expect(argumentsOf(runtime, "ENV")).toContain("NODE_ENV=production");
    expect(argumentsOf(runtime, "HEALTHCHECK").join()).toContain("/healthz");
    const { scripts }: { scripts: { start: string } } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(argumentsOf(runtime, "CMD").map((command) => JSON.parse(command))).toEqual([scripts.start.split(" ")]);
  });

  test("has a health check with valid JavaScript", () => {
    const command: unknown = JSON.parse(/CMD (\[.*\])/.exec(argumentsOf(runtime, "HEALTHCHECK").join())?.[1] ?? "null");
    const script = Array.isArray(command) ? String(command[2]) : "";
    expect(script).toContain("fetch(");
    expect(() => new Function(script)).not.toThrow();
  });

  test("makes the data folder writable for its user before declaring the volume", () => {
    const made = runtime.findIndex((line) => line.includes("chown node:node data"));
    expect(made).toBeGreaterThan(-1);
    expect(made).toBeLessThan(runtime.indexOf("VOLUME /app/data"));
    expect(argumentsOf(runtime, "WORKDIR")).toEqual(["/app"]);
  });

  test("omits development packages and needs no extra package on its Node", () => {
    expect(runtime.filter((line) => line.includes("npm"))).toEqual([]);
    expect(Number(/^FROM node:(\d+)-slim/.exec(runtime[0] ?? "")?.[1])).toBeGreaterThanOrEqual(24);
  });
});

function filesOf({ folder }: Bundle): readonly string[] {
  return readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
}

/** The bundle's source files, according to its source maps. */
function sourcesOf(bundle: Bundle): readonly string[] {
  const maps = filesOf(bundle).filter((path) => path.endsWith(".map"));
  return maps.flatMap((path) => {
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(join(bundle.folder, "dist", path), "utf8"));
    return sources;
  });
}
