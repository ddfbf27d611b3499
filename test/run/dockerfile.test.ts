import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

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

describe("the Docker image", () => {
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
    expect(argumentsOf(runtime, "CMD")).toEqual(['["node", "--enable-source-maps", "dist/main.js"]']);
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
