import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

/**
 * Which folders of src (or files right in it, by their names) each may import, and nothing else (design.md, "Where things live").
 * `run` and `app` put everything together.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  main: ["run"],
  run: ["app", "config", "finding", "log", "permissions", "sandbox", "service", "slack", "store", "unsafe-characters"],
  assemble: "changes commands config directory-of jobs log metrics-when-ready service slack store tracing".split(" "),
  app: "assemble changes commands config directory-of health jobs log metrics-access metrics-when-ready permissions releases sandbox service slack store time tracing".split(
    " ",
  ),
  "directory-of": ["changes", "config"],
  slack: ["commands", "changes", "finding", "permissions", "jobs", "time", "log"],
  jobs: ["changes", "time", "log"],
  store: ["changes", "commands", "permissions", "service", "time"],
  changes: ["commands", "permissions", "service", "time", "log"],
  commands: ["service", "permissions", "time"],
  permissions: ["service", "time"],
  config: ["permissions", "service", "time", "log"],
  sandbox: ["service", "time", "releases"],
  service: ["time", "log"],
  time: [],
  log: ["email-addresses", "unsafe-characters"],
  "email-addresses": [],
  "unsafe-characters": [],
  finding: [],
  health: ["log", "metrics-access", "metrics-when-ready"],
  "metrics-access": [],
  metrics: ["service", "store"],
  "metrics-when-ready": ["metrics"],
  releases: [],
  tracing: ["jobs", "log", "service"],
};

interface Import {
  readonly from: string;
  /** A package's name, or a path from src. */
  readonly to: string;
  readonly kind: "value" | "type" | "dynamic";
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join("src", path), "utf8") }));
const imports = files.flatMap(({ path, text }) => importsOf(path, text));
const ours = imports.filter(({ to }) => /\.tsx?$/.test(to));
const pathsWith = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe("imports", () => {
  test("the imports of a file are all found, whatever their form", () => {
    const text = [
      'import { a,\n  b } from "../time/zone.ts";',
      'import type { C } from "./c.ts";',
      'export { d } from "kysely";',
      'export type { E } from "@slack/bolt";',
      'import "pino";',
      'const f = await import("../sandbox/f.ts");',
    ].join("\n");
    expect(importsOf("slack/x.ts", text).map(({ to, kind }) => `${kind} ${to}`)).toEqual([
      "value time/zone.ts",
      "type slack/c.ts",
      "value kysely",
      "type @slack/bolt",
      "value pino",
      "dynamic sandbox/f.ts",
    ]);
    expect(imports.length).toBeGreaterThan(300);
  });

  test("every part of src has its arrows", () => {
    expect(files.map(({ path }) => partOf(path)).filter((part) => !(part in mayImport))).toEqual([]);
  });

  test("they point only where the design lets them", () => {
    const astray = ours.filter(({ from, to }) => {
      const [part, other] = [partOf(from), partOf(to)];
      return part !== other && !mayImport[part]?.includes(other);
    });
    expect(astray).toEqual([]);
  });

  test("the sandbox is loaded only when it is wanted", () => {
    const fromOutside = ours.filter(({ from, to }) => partOf(to) === "sandbox" && partOf(from) !== "sandbox");
    expect(fromOutside.filter(({ kind }) => kind === "value")).toEqual([]);
  });

  test("the page's client knows nothing of the server but what is sent to it, and nothing of it is in the server", () => {
    const client = "sandbox/page/client/";
    const fromClient = imports.filter(({ from }) => from.startsWith(client));
    const allowed = /^(?:sandbox\/page\/client\/|sandbox\/page\/wire\.ts$|preact(?:\/|$))/;
    expect(fromClient.filter(({ to }) => !allowed.test(to))).toEqual([]);
    expect(fromClient.length).toBeGreaterThan(50);
    const intoClient = imports.filter(({ from, to }) => !from.startsWith(client) && /^preact|page\/client\//.test(to));
    expect(intoClient).toEqual([]);
  });

  test("the page draws text as text, never as HTML", () => {
    expect(pathsWith(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/)).toEqual([]);
  });

  test("Slack's packages are used only in slack, and as types in the sandbox's workspace", () => {
    const astray = imports.filter(
      ({ from, to, kind }) =>
        to.startsWith("@slack/") &&
        partOf(from) !== "slack" &&
        !(from.startsWith("sandbox/workspace/") && kind === "type"),
    );
    expect(astray).toEqual([]);
  });

  test("what counts is loaded only after the start, and known to nobody but those who load it", () => {
    const prometheus = imports.filter(({ to }) => to === "prom-client" || to === "metrics.ts");
    expect(prometheus.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
      "metrics-when-ready.ts type metrics.ts",
      "metrics-when-ready.ts dynamic metrics.ts",
      "metrics.ts value prom-client",
    ]);
  });

  test("what traces is loaded only where traces are wanted", () => {
    const tracing = imports.filter(
      ({ to, kind }) => kind !== "type" && (/^@opentelemetry\//.test(to) || to === "tracing.ts"),
    );
    const astray = tracing.filter(
      ({ from, to, kind }) => from !== "tracing.ts" && !(to === "tracing.ts" && kind === "dynamic"),
    );
    expect(astray).toEqual([]);
    expect(tracing.some(({ from, kind }) => from === "app.ts" && kind === "dynamic")).toBe(true);
  });

  test("SQL drivers and the query builder are used only in store", () => {
    const sql = /^(?:kysely|pg|pg-boss|node:sqlite|@photostructure\/sqlite|better-sqlite3)(?:\/|$)/;
    expect(imports.filter(({ from, to }) => sql.test(to) && partOf(from) !== "store")).toEqual([]);
    expect(imports.some(({ to }) => sql.test(to))).toBe(true);
  });
});

describe("files", () => {
  test("only main reads the process's environment", () => {
    const readers = pathsWith(/process\s*(?:\?\.|\.)\s*env\b|\benv\b[^;\n]*from "node:process"/);
    expect(readers.filter((path) => path !== "main.ts")).toEqual([]);
  });

  test("none is longer than 300 lines", () => {
    expect(files.filter(({ text }) => text.trimEnd().split("\n").length > 300).map(({ path }) => path)).toEqual([]);
  });

  test("none has a default export", () => {
    expect(pathsWith(/^export default\b|^export \{[^}]*\bdefault\b/m)).toEqual([]);
  });

  test("each has a name that says something, in kebab-case", () => {
    const names = files.map(({ path }) => basename(path).replace(/\.tsx?$/, ""));
    expect(names.filter((name) => /^(?:utils?|helpers?|common|types?|index|misc|shared)$/.test(name))).toEqual([]);
    expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });
});

function importsOf(path: string, text: string): readonly Import[] {
  const found: (Import & { readonly at: number })[] = [];
  const add = (at: number, to: string, kind: Import["kind"]) => {
    const target = to.startsWith(".") ? relative("src", join("src", dirname(path), to)) : to;
    found.push({ at, from: path, to: target, kind });
  };
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^"';=()]*?\sfrom\s+)?"([^"]+)"/gm)) {
    add(match.index, match[2] ?? "", match[1] ? "type" : "value");
  }
  for (const match of text.matchAll(/\bimport\(\s*"([^"]+)"/g)) add(match.index, match[1] ?? "", "dynamic");
  return found.sort((one, other) => one.at - other.at).map(({ at: _at, ...rest }) => rest);
}

/** The folder of src, or the name of a file right in it. */
function partOf(path: string): string {
  const [first = ""] = path.split("/");
  return basename(first, ".ts");
}
