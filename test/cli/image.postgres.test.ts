import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { startSandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { makeFolder } from "../support/memory-folder.ts";
import { newDatabase } from "../support/new-database.ts";
import { startWorkspace } from "../support/start-workspace.ts";
import { startProcess } from "./bundle.ts";

/** Where there is no Docker: the Dockerfile's steps in one folder for each stage, which is its /app. */
interface Image {
  readonly app: string;
  readonly env: Readonly<Record<string, string>>;
  /** The last of each instruction that says how it is started. */
  readonly said: ReadonlyMap<string, string>;
}

const home = makeFolder("curfew-image");
const isRoot = process.getuid?.() === 0;
/** That of `node` in Node's images. */
const nodeUser = 1000;

const lines = readFileSync("Dockerfile", "utf8")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

function follow(): Image {
  const stages = new Map<string, string>();
  const said = new Map<string, string>();
  let [app, env]: [string, Record<string, string>] = ["", {}];
  for (const line of lines) {
    const [, instruction = "", rest = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const [first = "", ...words] = rest.split(/ +/);
    if (instruction === "FROM") {
      app = join(home, words[1] ?? "image", "app");
      stages.set(words[1] ?? "image", app);
      env = {};
      mkdirSync(app, { recursive: true });
    } else if (instruction === "ENV" || instruction === "ARG") {
      const [name = "", value = ""] = rest.split("=");
      env[name] = value;
    } else if (instruction === "COPY") copy(app, stages.get(first.replace("--from=", "")), [first, ...words]);
    else if (instruction === "RUN") run(app, rest, env);
    else said.set(instruction, rest);
  }
  return { app, env, said };
}

/** What of the files that are let in is left out again. */
const ignored = readFileSync(".dockerignore", "utf8")
  .split("\n")
  .filter((line) => /^[^!*#]/.test(line));

function copy(app: string, from: string | undefined, words: readonly string[]): void {
  const paths = from === undefined ? words : words.slice(1);
  for (const path of paths.slice(0, -1)) {
    const source = from === undefined ? path : join(from, relative("/app", path));
    const to = paths.at(-1) ?? "";
    cpSync(source, to === "./" ? join(app, basename(path)) : join(app, to), {
      recursive: true,
      filter: (file) => from !== undefined || !ignored.includes(file),
    });
  }
}

/** The registry's answers may come from the cache of an earlier `npm ci`. */
function run(app: string, line: string, env: Readonly<Record<string, string>>): void {
  const command = isRoot ? line.replaceAll("node:node", `${nodeUser}:${nodeUser}`) : line.replace(/ && chown .*$/, "");
  const given = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", npm_config_prefer_offline: "true" };
  execFileSync("sh", ["-c", command], { cwd: app, env: { ...given, ...env }, stdio: "pipe" });
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => lstatSync(join(folder, path)).isFile());

let image: Image;
beforeAll(() => {
  image = follow();
  execFileSync("chmod", ["-R", "a-w,a+rX", home]);
  chmodSync(join(image.app, "data"), isRoot ? 0o700 : 0o777);
}, 300_000);
afterAll(() => {
  execFileSync("chmod", ["-R", "u+w", home]);
  rmSync(home, { recursive: true });
});

test("the image's steps make a small bundle without packages, and say what it is made of", () => {
  const files = filesIn(image.app);
  expect(files).toEqual(expect.arrayContaining(["dist/main.js", "package.json", "sbom.cdx.json"]));
  expect(files.filter((path) => path.includes("node_modules"))).toEqual([]);
  const mib = files.reduce((sum, path) => sum + lstatSync(join(image.app, path)).size, 0) / 2 ** 20;
  expect(files.filter((path) => path.endsWith(".png"))).toEqual([]);
  expect(mib).toBeLessThan(10);
  const sbom = z
    .looseObject({
      bomFormat: z.literal("CycloneDX"),
      components: z.array(z.looseObject({ name: z.string(), version: z.string() })),
    })
    .parse(JSON.parse(readFileSync(join(image.app, "sbom.cdx.json"), "utf8")));
  const named = new Map(sbom.components.map(({ name, version }) => [name, version]));
  for (const [name, version] of Object.entries(packageJson.dependencies))
    expect([name, named.get(name)]).toEqual([name, version]);
  expect(Object.keys(packageJson.devDependencies).filter((name) => named.has(name))).toEqual(["@types/node"]);
});

test("as its user on a read-only file system it serves people, is healthy and ready, passes its doctor, and stops", async () => {
  const service = await startSandboxService();
  onTestFinished(() => service.close());
  const manifest: unknown = JSON.parse(readFileSync("manifest/slack-app.http.json", "utf8"));
  const workspace = await startWorkspace({ manifest, rateLimits: "off" });
  onTestFinished(() => workspace.close());
  const config = join(home, "config");
  execFileSync("chmod", ["u+w", home]);
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "curfew.yaml"), readFileSync("manifest/curfew.example.yaml"));
  // Node 20 has no SQLite, unlike the image's.
  const database = isBuiltin("node:sqlite") ? `sqlite:data/${randomUUID()}.db` : await newDatabase("empty");
  const env = {
    ...image.env,
    HOME: "/home/node",
    TMPDIR: "/nowhere",
    SLACK_API_URL: workspace.apiUrl,
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
    SCHEDULER_BASE_URL: service.baseUrl,
    SCHEDULER_API_KEY: service.apiKey,
    DATABASE_URL: database,
    CURFEW_CONFIG: join(config, "curfew.yaml"),
    DRAIN_SECONDS: "0",
  };
  const command: string[] = z.array(z.string()).parse(JSON.parse(image.said.get("CMD") ?? ""));
  const user = isRoot ? { uid: nodeUser, gid: nodeUser } : {};
  const before = filesIn(image.app);
  const curfew = startProcess(image.app, { env, command, ...user });
  onTestFinished(() => curfew.signal("SIGKILL"));
  const port = await curfew.sees(/"port":(\d+)/);
  workspace.connectHttp(`http://127.0.0.1:${port}/slack/events`);
  await workspace.as("alice").type("/curfew exclude i-0a1 for 2h", "ops");
  await workspace.waitFor(() => workspace.channel("ops").messages.length > 0, { what: "the card" });

  const beside = async (line: readonly string[]) => {
    const other = startProcess(image.app, { env: { ...env, PORT: port }, command: line, ...user });
    return { code: await other.exited, output: other.output, errors: other.errors };
  };
  const health: string[] = z
    .array(z.string())
    .parse(JSON.parse(/\[.*\]/.exec(image.said.get("HEALTHCHECK") ?? "")?.[0] ?? ""));
  expect(await beside(health)).toEqual({ code: 0, output: "", errors: "" });
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  const doctor = await beside([...command, "doctor"]);
  expect(doctor).toMatchObject({ code: 0, output: expect.stringMatching(/^ok +scopes /m), errors: "" });

  curfew.signal("SIGTERM");
  expect(await curfew.exited).toBe(0);
  expect(curfew.errors).toBe("");
  expect((await beside(health)).code).toBe(1);
  expect(filesIn(image.app).filter((path) => !before.includes(path) && !path.startsWith("data/"))).toEqual([]);
  const written = relative("/app", image.said.get("VOLUME") ?? "");
  expect(written).toBe("data");
});
