import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { parseSettings } from "../config/read-settings.ts";
import { createLogger } from "../observability/log.ts";
import { escapeUnsafe } from "../observability/unsafe-characters.ts";
import { channelId, durationMs, memberId } from "../permissions/config-values.ts";
import { createServiceClient } from "../service/client.ts";
import { browseOperation } from "../service/operations.ts";
import { couldBeId } from "../service/resources.ts";
import { lookAtWorkspace } from "../slack/checks/check-client.ts";
import { ianaZone } from "../time/zone.ts";
import { interrupted } from "./database-work.ts";
import { type Around, messageOf, print } from "./process-env.ts";
import type { FirstAnswers, OperatorCommand } from "./read-arguments.ts";
import { readOneWithDotEnv } from "./read-setup.ts";

type Answers = { readonly [Name in keyof FirstAnswers]-?: string };

/** What there is to choose from: nothing without a token or a key. */
type Seen = Omit<Awaited<ReturnType<typeof lookAtWorkspace>>, "problems"> & {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
};

interface Question {
  readonly ask: string;
  readonly from?: "groups" | "channels" | "projects";
  readonly byDefault?: (seen: Seen, earlier: Partial<Answers>) => string | undefined;
  readonly isMany?: boolean;
  readonly fits: (word: string) => boolean;
  /** What fits, to follow “is no”. */
  readonly noun: string;
}

const aChannel: Omit<Question, "ask"> = {
  ...{ from: "channels", fits: (id) => channelId.safeParse(id).success },
  noun: "channel that the bot sees and no id (C… or G…)",
};

const questions: Readonly<Record<keyof Answers, Question>> = {
  admin: {
    ask: "Who is the first admin? An e-mail address in Slack, or a member id (Profile → ⋮ → Copy member ID)",
    ...{ fits: (id) => /^[UW][A-Z0-9]+$/.test(id), noun: "address of a person here and no member id (U…)" },
  },
  members: {
    ask: "Who may keep machines running? User groups and people",
    ...{ from: "groups", isMany: true, byDefault: (_seen, { admin }) => admin },
    ...{ fits: (id) => memberId.safeParse(id).success, noun: "user group and no id (S… or U…)" },
  },
  channel: { ask: "In which channel do they ask, and read what was changed?", ...aChannel },
  admins: { ask: "In which channel are the admins asked?", ...aChannel, byDefault: (_seen, { channel }) => channel },
  projects: {
    ask: "Of which projects of the service? Their ids, or all",
    ...{ from: "projects", isMany: true, byDefault: ({ projects }) => projects.map(({ id }) => id).join(" ") || "all" },
    ...{ fits: couldBeId, noun: "project id" },
  },
  longest: {
    ask: "For how long, without asking an admin?",
    ...{ byDefault: () => "24h", fits: (each) => durationMs.safeParse(each).success, noun: "length such as 8h or 3d" },
  },
};
const order = ["admin", "members", "channel", "admins", "projects", "longest"] as const;

/** Asks a few questions, and writes a first config. Until all are answered nothing is written, and never over a file. */
export async function runInit(command: Extract<OperatorCommand, { name: "init" }>, around: Around): Promise<number> {
  const file = command.file ?? readOneWithDotEnv("CURFEW_CONFIG", around);
  if (typeof file !== "string") return print(file.problems, around.errorOutput, 1);
  if (existsSync(file)) {
    const advice = `Edit it and run “check ${file}”, or name another file: init other.yaml`;
    return print([`${file} exists already. Nothing was written. ${advice}`], around.errorOutput, 1);
  }
  const input = createInterface({ input: around.input });
  const lines = command.isAsked && around.input.isTTY ? input[Symbol.asyncIterator]() : undefined;
  const work = async () => {
    const seen = await lookAround(around);
    const answers = await askAll(command.given, seen, lines, around);
    return answers ? writeConfig(file, answers, seen, around) : print(["Nothing was written."], around.errorOutput, 1);
  };
  return Promise.race([work(), around.stopAsked.then(() => interrupted)]).finally(() => input.close());
}

/** Asks each question until its answer fits. Where nobody types, everything wrong or missing is printed. */
async function askAll(
  given: FirstAnswers,
  seen: Seen,
  lines: AsyncIterator<string> | undefined,
  { output, errorOutput }: Around,
): Promise<Answers | undefined> {
  const answers: { -readonly [Name in keyof Answers]?: Answers[Name] } = {};
  for (const name of order) {
    const { ask, from, byDefault } = questions[name];
    const offered = byDefault?.(seen, answers);
    let said = given[name];
    while (answers[name] === undefined) {
      if (lines && said === undefined) {
        const names = from ? seen[from].slice(0, maxShown).map((each) => each.name) : [];
        const offers = [names.length > 0 && `  ${names.join(" ")}`, offered && `Enter for ${offered}`].filter(Boolean);
        output.write(escapeUnsafe(["", ask, ...offers, "> "].join("\n")));
        const { value, done } = await lines.next();
        if (done) return undefined;
        said = value.trim();
      }
      const read = await readAnswer(questions[name], said || offered || "", seen);
      if ("value" in read) answers[name] = read.value;
      else if (lines) print([read.wrong], output, 0);
      else {
        print([`--${name}: ${read.wrong}`], errorOutput, 1);
        break;
      }
      said = undefined;
    }
  }
  return isWhole(answers) ? answers : undefined;
}

const isWhole = (answers: Partial<Answers>): answers is Answers => order.every((name) => answers[name] !== undefined);

/** A longer list would push the question off the screen. */
const maxShown = 30;

const wordsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== "");

/** Names and addresses become ids. */
async function readAnswer({ from, isMany, fits, noun }: Question, answer: string, seen: Seen) {
  const words = wordsIn(answer);
  const ids = await Promise.all(
    words.map(async (word) => {
      if (/.@/.test(word)) return (await seen.find(word))?.id ?? word;
      const names = [word, `@${word}`, `#${word}`].map((name) => name.toLowerCase());
      return (from ? seen[from] : []).find(({ name }) => names.includes(name.toLowerCase()))?.id ?? word;
    }),
  );
  const odd = ids.find((id) => !fits(id));
  if (odd !== undefined) return { wrong: `“${odd}” is no ${noun}.` };
  if (ids.length === 0 || (ids.length > 1 && !isMany)) return { wrong: "This needs one answer." };
  return { value: ids.join(" ") };
}

/** The workspace and the service, where a token and a key are there. What cannot be read is said. */
async function lookAround(around: Around): Promise<Seen> {
  const read = (name: Parameters<typeof readOneWithDotEnv>[0]): string | undefined => {
    const value = readOneWithDotEnv(name, around);
    if (typeof value === "string") return value || undefined;
    print(value.problems, around.output, 0);
    return undefined;
  };
  const [token, baseUrl, apiKey] = [read("SLACK_BOT_TOKEN"), read("SCHEDULER_BASE_URL"), read("SCHEDULER_API_KEY")];
  const workspace = token
    ? await lookAtWorkspace(token, read("SLACK_API_URL"), createLogger({ level: "silent", secrets: [] }))
    : { ...nothing, problems: ["Without SLACK_BOT_TOKEN, people and channels must be given by their ids."] };
  print(workspace.problems, around.output, 0);
  return { ...workspace, projects: baseUrl && apiKey ? await projectsIn({ baseUrl, apiKey }, around) : [] };
}

const nothing = { groups: [], channels: [], find: () => Promise.resolve(undefined) };

async function projectsIn(service: { readonly baseUrl: string; readonly apiKey: string }, { output }: Around) {
  const client = createServiceClient({ ...service, retries: 0, attemptTimeoutMs: 10_000 });
  const result = await client.call(browseOperation, {});
  await client.close();
  if (result.kind !== "succeeded") print([`The service's projects are not known: ${result.error.message}`], output, 0);
  const actions = (result.kind === "succeeded" && result.answer) || [];
  const ids = new Set(actions.flatMap(({ projectId }) => projectId ?? []));
  return [...ids].sort().map((id) => ({ id, name: id }));
}

async function writeConfig(file: string, answers: Answers, seen: Seen, around: Around): Promise<number> {
  const manifest = join(around.rootFolder, "manifest");
  const projects = answers.projects === "all" ? [] : wordsIn(answers.projects);
  const text = filled(around.readFile(join(manifest, "curfew.first.yaml")), {
    ...answers,
    members: listed(wordsIn(answers.members)),
    projects: listed(projects),
    project: projects.length === 1 ? listed(projects) : "",
    zone: ianaZone((await seen.find(answers.admin))?.tz ?? "") ?? "UTC",
    schema: relative(dirname(file), join(manifest, "curfew.schema.json")),
  });
  const read = parseSettings(text, file);
  if ("problems" in read) return print([...read.problems, "Nothing was written."], around.errorOutput, 1);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    return print([`${file} cannot be written: ${messageOf(error)}`], around.errorOutput, 1);
  }
  const next = [
    `${file} is written. What to do next:`,
    "1. Invite the bot to the channels that you named: /invite @Curfew.",
    "2. Give machines a name, so that people can type it: resourceGroups, at the end of the file.",
    `3. Set CURFEW_CONFIG=${file}. “doctor” says whether anything is missing. Then start Curfew.`,
    "manifest/PERMISSIONS.md has more to copy: production with an approval, several teams, on call, a help desk.",
  ];
  return print(["", ...next, ...read.lint.warning], around.output, 0);
}

/** The template with these values. A line whose value is left open is left out. */
const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce(
    (text, [name, value]) =>
      value ? text.replaceAll(`<${name}>`, () => value) : text.replaceAll(new RegExp(`^.*<${name}>.*\n`, "gm"), ""),
    template,
  );

/** Quoted where YAML might read something else, such as a number. */
const listed = (ids: readonly string[]): string =>
  ids.map((id) => (/^[A-Za-z][\w-]*[\d-][\w-]*$/.test(id) ? id : JSON.stringify(id))).join(", ");
