import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { run } from "../../src/cli/run.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { editorAccepts } from "../support/editor-accepts.ts";
import { makeFolder } from "../support/memory-folder.ts";
import { aHealthyPlace } from "./doctor-place.ts";
import { runWithArgs } from "./run-with-args.ts";

const newFile = () => join(makeFolder("curfew-init"), "config", "curfew.yaml");

/** Runs `init` on a terminal where these lines are typed, each when the prompt is there. `ctrlC`: before this answer. */
async function typing(args: readonly string[], env: Record<string, string>, lines: readonly string[], ctrlC?: number) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const errorOutput = new PassThrough();
  let stop: () => void = () => undefined;
  const stopAsked = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let next = 0;
  output.on("data", (chunk) => {
    if (!String(chunk).endsWith("> ")) return;
    if (next === ctrlC) return stop();
    const line = lines[next++];
    if (line === undefined) input.end();
    else input.write(`${line}\n`);
  });
  const shown = Promise.all([text(output), text(errorOutput)]);
  const code = await run({
    ...{ args: ["init", ...args], env, rootFolder: ".", input, output, errorOutput, stopAsked },
    ...{ onReloadAsked: () => undefined, onUnhandled: () => undefined },
    readFile: (path) => readFileSync(path === ".env" ? join(makeFolder("curfew-init"), path) : path, "utf8"),
  });
  output.end();
  errorOutput.end();
  const [said, errors] = await shown;
  return { code, said, errors };
}

test("init offers what the workspace and the service have, asks again after a wrong answer, and writes a config that fits", async () => {
  const { env } = await aHealthyPlace();
  const file = newFile();
  const lines = [
    "nobody@example.com",
    "carol@example.com",
    "@engineers, U01ALICE",
    "#nowhere",
    "#ops",
    "admins",
    "",
    "3d",
  ];
  const { code, said, errors } = await typing([file], env, lines);
  expect([code, errors]).toEqual([0, ""]);
  expect(said).toContain("@engineers @helpdesk");
  expect(said).toContain("#ops #security #admins #random");
  expect(said).toContain("“nobody@example.com” is no address of a person here and no member id (U…).");
  expect(said).toContain("“#nowhere” is no channel that the bot sees");
  expect(said).toContain("/invite @Curfew");
  const content = parse(readFileSync(file, "utf8"));
  expect(content.permissions.roles).toMatchObject({
    engineer: { members: ["S0ENGINEERS", "U01ALICE"], where: { channels: ["C0OPS"], maxExclusion: "3d" } },
    admin: { members: ["U03CAROL"], allow: ["*"] },
  });
  expect(content.permissions.roles.engineer.where.projects).toEqual(["p-dev", "p-prod"]);
  expect(content).toMatchObject({ admins: { channel: "C0ADMINS" }, channels: { C0OPS: { zone: "Europe/London" } } });
  expect(editorAccepts(content)).toBe(true);
  const checked = await runWithArgs(["check", "c.yaml"], { files: { "c.yaml": readFileSync(file, "utf8") } });
  expect(checked).toEqual({ code: 0, output: "c.yaml is fine.\n", errors: "" });
});

test("init takes options in place of answers where nobody types", async () => {
  const file = newFile();
  const options = ["--admin", "U03CAROL", "--members", "S0ENGINEERS", "--channel", "C0OPS"];
  const { code, output } = await runWithArgs(["init", file, ...options]);
  expect([code, output]).toEqual([0, expect.stringContaining("Without SLACK_BOT_TOKEN")]);
  expect(parseSettings(readFileSync(file, "utf8"), file)).toMatchObject({ lint: { error: [], warning: [] } });
});

test("init takes all projects, ids that look like numbers, and --yes on a terminal", async () => {
  const options = ["--admin", "U03CAROL", "--channel", "C0OPS", "--yes"];
  const all = newFile();
  expect(await typing([all, ...options, "--projects", "all"], {}, [])).toMatchObject({ code: 0, errors: "" });
  const { engineer } = parse(readFileSync(all, "utf8")).permissions.roles;
  expect(engineer).toMatchObject({ members: ["U03CAROL"], where: { channels: ["C0OPS"], maxExclusion: "24h" } });
  expect(engineer.where).not.toHaveProperty("projects");
  const numbered = newFile();
  await typing([numbered, ...options, "--projects", "17"], {}, []);
  expect(parse(readFileSync(numbered, "utf8"))).toMatchObject({
    permissions: { roles: { engineer: { where: { projects: ["17"] } } } },
    channels: { C0OPS: { project: "17", zone: "UTC" } },
  });
});

test("init says which options are missing or wrong, and writes nothing", async () => {
  const file = newFile();
  const { code, errors } = await runWithArgs(["init", file, "--channel", "#ops", "--longest", "forever"]);
  expect([code, existsSync(file)]).toEqual([1, false]);
  expect(errors.split("\n")).toEqual([
    "--admin: This needs one answer.",
    "--members: This needs one answer.",
    "--channel: “#ops” is no channel that the bot sees and no id (C… or G…).",
    "--admins: This needs one answer.",
    "--longest: “forever” is no length such as 8h or 3d.",
    "Nothing was written.",
    "",
  ]);
});

test("init never writes over a file", async () => {
  const { env } = await aHealthyPlace();
  const { code, said, errors } = await typing(["package.json"], env, []);
  expect([code, said]).toEqual([1, ""]);
  expect(errors).toContain("package.json exists already. Nothing was written.");
});

test.each([0, 3])("Ctrl-C at question %i writes nothing", async (ctrlC) => {
  const { env } = await aHealthyPlace();
  const file = newFile();
  const lines = ["carol@example.com", "@engineers", "#ops", "", "", ""];
  expect(await typing([file], env, lines, ctrlC)).toMatchObject({ code: 130 });
  expect(existsSync(file)).toBe(false);
});

test("the end of the input writes nothing", async () => {
  const { env } = await aHealthyPlace();
  const file = newFile();
  const { code, errors } = await typing([file], env, ["carol@example.com"]);
  expect([code, errors, existsSync(file)]).toEqual([1, "Nothing was written.\n", false]);
});

test("init goes on without what a refused token and a refused key do not show, and prints neither", async () => {
  const { env } = await aHealthyPlace();
  const file = newFile();
  const wrong = { ...env, SLACK_BOT_TOKEN: "xoxb-refused-token", SCHEDULER_API_KEY: "sk_refused" };
  const lines = ["U03CAROL", "S0ENGINEERS", "C0OPS", "C0ADMINS", "p-dev", ""];
  const { code, said, errors } = await typing([file], wrong, lines);
  expect([code, errors]).toEqual([0, ""]);
  expect(said).toContain("The user groups of the workspace are not known: Slack says invalid_auth.");
  expect(said).toContain("The service's projects are not known:");
  expect(said).not.toMatch(/refused-token|sk_refused/);
});
