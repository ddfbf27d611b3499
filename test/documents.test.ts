import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { variableNames } from "../src/config/environment.ts";
import { parseSettings } from "../src/config/read-settings.ts";
import { operationNames, operations } from "../src/service/operations.ts";

const documents = [
  "README.md",
  "manifest/OPERATING.md",
  "manifest/PERMISSIONS.md",
  "manifest/REFERENCE.md",
  "src/changes/README.md",
  "src/service/API.md",
  "src/slack/PLATFORM.md",
  "test/bench/README.md",
];
const textOf = (path: string) => readFileSync(path, "utf8");

/** The headings of a document, as written. */
const headingsIn = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = ""]) => heading);

/** The anchor that GitHub makes from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** Written so that no text in this file counts as a citation. */
const cited = /\b(API|PLATFORM|OPERATING|PERMISSIONS|REFERENCE)\.md(?:, "([^"]+)"| §([\d.]*\d))?/g;
const oldNames = /\b(?:spec|observed|platform|design|commands|messages|libraries)\.md/;

const sources = ["src", "test"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
    .map((path) => join(folder, path)),
);

/** Path and anchor of each link to another file or heading. Skips code between backticks. */
const linksIn = (path: string): readonly (readonly [to: string, anchor: string | undefined])[] =>
  [
    ...textOf(path)
      .replaceAll(/`[^`]*`/g, "")
      .matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
  ].map(([, to = "", anchor]) => [to === "" ? path : join(dirname(path), to), anchor]);

test("every link between the documents leads to an existing file and heading", () => {
  const broken = documents.flatMap((from) =>
    linksIn(from).flatMap(([to, anchor]) => {
      const isThere = existsSync(to) && (anchor === undefined || headingsIn(to).map(anchorOf).includes(anchor));
      return isThere ? [] : [`${from}: ${to}#${anchor ?? ""}`];
    }),
  );
  expect(documents.flatMap(linksIn).length).toBeGreaterThan(50);
  expect(broken).toEqual([]);
});

test("every section that a comment cites exists", () => {
  const byName = new Map(documents.map((path) => [basename(path), headingsIn(path)]));
  const broken = sources.flatMap((path) =>
    [...textOf(path).matchAll(cited)].flatMap(([citation, name, heading, number]) => {
      const headings = byName.get(`${name}.md`) ?? [];
      if (heading !== undefined && !headings.includes(heading)) return [`${path}: ${citation}`];
      const isNumbered = headings.some((each) => each.startsWith(`${number} `) || each.startsWith(`${number}. `));
      return number !== undefined && !isNumbered ? [`${path}: ${citation}`] : [];
    }),
  );
  expect(broken).toEqual([]);
});

test("no comment cites a document that is not in the repository", () => {
  const citing = sources.filter((path) => oldNames.test(textOf(path)));
  expect(citing).toEqual([]);
});

/** The parts that an example omits, to make it a whole file. */
const rest = {
  permissions: `permissions:
  roles:
    engineer: { members: [S0ENGINEERS], allow: [CreateActionExclusion, ModifyActionExclusion, RemoveUserMfa] }
    admin: { members: [U03CAROL, U09HEIDI], allow: ["*"] }
`,
  admins: "admins: { channel: C0ADMINS }\n",
};
const examples = ["README.md", "manifest/PERMISSIONS.md", "manifest/REFERENCE.md"].flatMap((path) =>
  [...textOf(path).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, text = ""], index) => [path, index + 1, text] as const,
  ),
);

test.each(examples)("%s: permissions example %i is a config without errors or warnings", (path, _index, example) => {
  const lacking = Object.entries(rest).filter(([key]) => !new RegExp(`^${key}:`, "m").test(example));
  const read = parseSettings([...lacking.map(([, text]) => text), example].join(""), path);
  expect("problems" in read ? read.problems : read.lint).toEqual({ error: [], warning: [] });
});

test("API.md lists every operation with its method, path and effect", () => {
  const rows = textOf("src/service/API.md").split("\n");
  const missing = operationNames.filter((name) => {
    const { method, path, effect } = operations[name];
    const row = `| [${name}](#${name.toLowerCase()}) | \`${method} ${path}\` | ${effect} |`;
    return !rows.some((each) => each.startsWith(row)) || !rows.includes(`### ${name}`);
  });
  expect(missing).toEqual([]);
});

test("REFERENCE.md explains every operation", () => {
  const text = textOf("manifest/REFERENCE.md");
  const table = text.slice(text.indexOf("## Operations and commands"), text.indexOf("## A refusal"));
  expect(operationNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

test("REFERENCE.md names every variable and every metric", () => {
  const text = textOf("manifest/REFERENCE.md");
  const metrics = [...textOf("src/observability/metrics.ts").matchAll(/"(curfew_[a-z_]+)"/g)].map(
    ([, name = ""]) => name,
  );
  expect(metrics.length).toBeGreaterThan(10);
  expect([...variableNames, ...metrics].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test("the README mounts the config's folder, restarts the container and verifies the request URL", () => {
  const text = textOf("README.md");
  expect(text).toContain("--restart unless-stopped");
  expect(text.match(/-v [^ ]*\.yaml/g)).toBeNull();
  expect(text).toMatch(/In HTTP mode, verify the \*Request URL\*/);
});

test.each([
  ["README.md", 9000],
  ["manifest/PERMISSIONS.md", 12 * 1024],
  ["manifest/OPERATING.md", 20 * 1024],
])("%s fits into %i bytes", (path, most) => {
  expect(Buffer.byteLength(textOf(path))).toBeLessThanOrEqual(most);
});
