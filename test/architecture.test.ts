import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { operationNames } from "../src/service/operations.ts";

/** The allowed imports of each folder of src, or of a file directly in it (README.md, "How the code is laid out"). */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  main: ["cli"],
  cli: ["app", "config", "directory", "observability", "permissions", "sandbox", "service", "slack", "store", "time"],
  app: "callers changes commands config directory jobs lifecycle observability outbox service slack store time watch".split(
    " ",
  ),
  callers: "changes config lifecycle observability permissions slack time".split(" "),
  lifecycle: [],
  slack: "changes commands directory language lifecycle observability outbox permissions service time".split(" "),
  watch: "changes commands directory observability permissions service time".split(" "),
  outbox: ["changes", "jobs", "observability", "time"],
  jobs: ["changes", "directory", "observability", "time"],
  store: ["changes", "commands", "directory", "observability", "permissions", "service", "time", "watch"],
  changes: ["commands", "directory", "observability", "permissions", "service", "time"],
  language: ["commands", "directory", "permissions", "service", "time"],
  commands: ["directory", "permissions", "service", "time"],
  directory: ["config", "observability", "service", "time"],
  config: ["commands", "language", "permissions", "service", "time"],
  permissions: ["service", "time"],
  sandbox: ["language", "lifecycle", "service", "time"],
  observability: ["service"],
  service: ["observability", "time"],
  time: [],
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
  test("of a file are all found, in any form", () => {
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

  test("have rules for every part of src", () => {
    expect(files.map(({ path }) => partOf(path)).filter((part) => !(part in mayImport))).toEqual([]);
  });

  test("follow the allowed directions", () => {
    const astray = ours.filter(({ from, to }) => {
      const [part, other] = [partOf(from), partOf(to)];
      return part !== other && !mayImport[part]?.includes(other);
    });
    expect(astray).toEqual([]);
  });

  test("have no circles, not even for types", () => {
    const targets = new Map(
      files.map(({ path }) => [path, ours.filter(({ from }) => from === path).map(({ to }) => to)]),
    );
    expect([...targets.keys()].flatMap((path) => circleThrough(path, targets))).toEqual([]);
  });

  test("name an operation only in its row, the sandbox and the commands", () => {
    const allowed = /^(?:service\/operations\.ts$|sandbox\/|commands\/)/;
    const named = new RegExp(`["'\`](?:${operationNames.join("|")})["'\`]`);
    expect(pathsWith(named).filter((path) => !allowed.test(path))).toEqual([]);
  });

  test("load the sandbox only when it is needed", () => {
    const fromOutside = ours.filter(({ from, to }) => partOf(to) === "sandbox" && partOf(from) !== "sandbox");
    expect(fromOutside.filter(({ kind }) => kind === "value")).toEqual([]);
  });

  test("keep the page's client and the server apart, except for the wire format and how Slack's text reads", () => {
    const client = "sandbox/page/client/";
    const fromClient = imports.filter(({ from }) => from.startsWith(client));
    const allowed =
      /^(?:sandbox\/page\/(?:client\/|wire\.ts$)|sandbox\/workspace\/(?:mrkdwn|json-object)\.ts$|(?:preact|slack-message-parser)(?:\/|$))/;
    expect(fromClient.filter(({ to }) => !allowed.test(to))).toEqual([]);
    expect(fromClient.length).toBeGreaterThan(50);
    const intoClient = imports.filter(({ from, to }) => !from.startsWith(client) && /^preact|page\/client\//.test(to));
    expect(intoClient).toEqual([]);
  });

  test("of the page draw text as text, never as HTML", () => {
    expect(pathsWith(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/)).toEqual([]);
  });

  test("use Slack's packages only in slack, and as types in the sandbox's workspace", () => {
    const astray = imports.filter(
      ({ from, to, kind }) =>
        to.startsWith("@slack/") &&
        partOf(from) !== "slack" &&
        !(from.startsWith("sandbox/workspace/") && kind === "type"),
    );
    expect(astray).toEqual([]);
  });

  test("load metrics only after the start, and only from their loader", () => {
    const prometheus = imports.filter(({ to }) => to === "prom-client" || to === "observability/metrics.ts");
    expect(prometheus.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
      "observability/metrics-when-ready.ts type observability/metrics.ts",
      "observability/metrics-when-ready.ts dynamic observability/metrics.ts",
      "observability/metrics.ts value prom-client",
    ]);
  });

  test("load tracing only when traces are enabled", () => {
    const tracing = imports.filter(
      ({ to, kind }) => kind !== "type" && (/^@opentelemetry\//.test(to) || to === "observability/tracing.ts"),
    );
    const astray = tracing.filter(
      ({ from, to, kind }) =>
        from !== "observability/tracing.ts" && !(to === "observability/tracing.ts" && kind === "dynamic"),
    );
    expect(astray).toEqual([]);
    expect(tracing.some(({ from, kind }) => from === "app.ts" && kind === "dynamic")).toBe(true);
  });

  test("use SQL drivers and the query builder only in store", () => {
    const sql = /^(?:kysely|pg|node:sqlite|@photostructure\/sqlite|better-sqlite3)(?:\/|$)/;
    expect(imports.filter(({ from, to }) => sql.test(to) && partOf(from) !== "store")).toEqual([]);
    expect(imports.some(({ to }) => sql.test(to))).toBe(true);
  });
});

describe("source files", () => {
  test("read the process's environment only in main", () => {
    const readers = pathsWith(/process\s*(?:\?\.|\.)\s*env\b|\benv\b[^;\n]*from "node:process"/);
    expect(readers.filter((path) => path !== "main.ts")).toEqual([]);
  });

  test("have at most 600 lines", () => {
    expect(files.filter(({ text }) => text.trimEnd().split("\n").length > 600).map(({ path }) => path)).toEqual([]);
  });

  test("have no default export", () => {
    expect(pathsWith(/^export default\b|^export \{[^}]*\bdefault\b/m)).toEqual([]);
  });

  test("have a meaningful kebab-case name", () => {
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

/** The shortest import path back to a file; empty without one. */
function circleThrough(path: string, targets: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const cameFrom = new Map<string, string>();
  const queue = [path];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const next of targets.get(at) ?? []) {
      if (next === path) return [[path, ...wayTo(at, cameFrom)].join(" ← ")];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return [];
}

function wayTo(file: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const before = cameFrom.get(file);
  return before === undefined ? [file] : [file, ...wayTo(before, cameFrom)];
}

/** The folder of src, or the name of a file directly in it. */
function partOf(path: string): string {
  const [first = ""] = path.split("/");
  return basename(first, ".ts");
}
