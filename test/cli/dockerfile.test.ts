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
  test("holds nothing of the sandbox and its page, and starts without", async () => {
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

  test("is built from files that exist and that .dockerignore lets in", () => {
    const ignore = readFileSync(".dockerignore", "utf8").split("\n");
    expect(copiedFromHere).toContain("src");
    expect(copiedFromHere.filter((path) => !existsSync(path))).toEqual([]);
    expect(ignore).toContain("*");
    expect(copiedFromHere.filter((path) => !ignore.includes(`!${path}`))).toEqual([]);
  });

  test("lets nothing into the build but what is copied", () => {
    const allowed = readFileSync(".dockerignore", "utf8").match(/^!.*$/gm) ?? [];
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual([...new Set(copiedFromHere)].sort());
  });

  test("runs the bundle as somebody other than root, in production, with a health check", () => {
    expect(argumentsOf(runtime, "USER")).toEqual(["node"]);
    expect(argumentsOf(runtime, "ENV")).toContain("NODE_ENV=production");
    expect(argumentsOf(runtime, "HEALTHCHECK").join()).toContain("/healthz");
    const { scripts }: { scripts: { start: string } } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(argumentsOf(runtime, "CMD").map((command) => JSON.parse(command))).toEqual([scripts.start.split(" ")]);
  });

  test("has a health check whose script is right JavaScript", () => {
    const command: unknown = JSON.parse(/CMD (\[.*\])/.exec(argumentsOf(runtime, "HEALTHCHECK").join())?.[1] ?? "null");
    const script = Array.isArray(command) ? String(command[2]) : "";
    expect(script).toContain("fetch(");
    expect(() => new Function(script)).not.toThrow();
  });

  test("has a data folder that its user may write to before the volume is made of it", () => {
    const made = runtime.findIndex((line) => line.includes("chown node:node data"));
    expect(made).toBeGreaterThan(-1);
    expect(made).toBeLessThan(runtime.indexOf("VOLUME /app/data"));
    expect(argumentsOf(runtime, "WORKDIR")).toEqual(["/app"]);
  });

  test("leaves development packages behind and needs no package of its own on its Node", () => {
    expect(runtime.filter((line) => line.includes("npm"))).toEqual([]);
    expect(Number(/^FROM node:(\d+)-slim/.exec(runtime[0] ?? "")?.[1])).toBeGreaterThanOrEqual(24);
  });
});

function filesOf({ folder }: Bundle): readonly string[] {
  return readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
}

/** What the bundle was made of, as its source maps say. */
function sourcesOf(bundle: Bundle): readonly string[] {
  const maps = filesOf(bundle).filter((path) => path.endsWith(".map"));
  return maps.flatMap((path) => {
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(join(bundle.folder, "dist", path), "utf8"));
    return sources;
  });
}
