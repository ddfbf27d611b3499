import { describe, expect, test } from "vitest";
import { loadDotEnv, type RawEnvironment, readEnvironment, readSecretFiles } from "../../src/config/environment.ts";

const complete = {
  SLACK_BOT_TOKEN: "xoxb-1-abc",
  SLACK_APP_TOKEN: "xapp-1-abc",
  SCHEDULER_BASE_URL: "https://scheduler.example.com/",
  SCHEDULER_API_KEY: "key-0123456789",
} as const;

const files: Readonly<Record<string, string>> = { "/run/key": "key-from-file\n", "/run/empty": "\n" };
const readFile = (path: string): string => {
  const content = files[path];
  if (content === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
  return content;
};
const read = (env: RawEnvironment) => readEnvironment(env, readFile);
const problemsOf = (env: RawEnvironment): readonly string[] => {
  const environment = read(env);
  return environment.kind === "problems" ? environment.problems : [];
};

describe("the sandbox", () => {
  test("runs on this machine only when nothing is set", () => {
    expect(read({ PATH: "/bin" })).toEqual({
      kind: "sandbox",
      configFile: undefined,
      secretsDir: undefined,
      command: "/curfew",
      database: undefined,
      host: "127.0.0.1",
      port: 3000,
      drainMs: 0,
      logLevel: "warn",
      metrics: { port: undefined, token: undefined },
      secrets: [],
    });
  });

  test("ignores HOST and takes the other settings", () => {
    const env = {
      HOST: "0.0.0.0",
      PORT: "0",
      CURFEW_CONFIG: "my.yaml",
      DATABASE_URL: "sqlite::memory:",
      LOG_LEVEL: "info",
    };
    expect(read(env)).toMatchObject({
      host: "127.0.0.1",
      port: 0,
      configFile: "my.yaml",
      database: ":memory:",
      logLevel: "info",
    });
  });

  test("treats an empty variable as not set", () => {
    expect(read({ SLACK_BOT_TOKEN: "", SCHEDULER_API_KEY: " " }).kind).toBe("sandbox");
  });

  test("never runs in production", () => {
    expect(problemsOf({ NODE_ENV: "production" })).toEqual([
      "SLACK_BOT_TOKEN is missing",
      "SCHEDULER_BASE_URL is missing",
      "SCHEDULER_API_KEY is missing",
      "SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode) is missing",
    ]);
  });

  test.each(["SLACK_BOT_TOKEN", "SLACK_API_URL", "SCHEDULER_BASE_URL", "SCHEDULER_API_KEY_FILE"])(
    "does not run when %s is set, and reports the missing variables",
    (name) => {
      expect(read({ [name]: "/run/key" }).kind).toBe("problems");
    },
  );

  test("reports invalid settings", () => {
    expect(problemsOf({ PORT: "http", LOG_LEVEL: "loud" })).toEqual([
      "PORT must be a number from 0 to 65535",
      "LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent",
    ]);
  });
});

describe("a workspace", () => {
  test("has defaults, and lists its secrets for the log", () => {
    expect(read(complete)).toEqual({
      kind: "slack",
      configFile: "curfew.yaml",
      secretsDir: undefined,
      command: "/curfew",
      database: "data/curfew.db",
      host: "0.0.0.0",
      port: 3000,
      drainMs: 5000,
      logLevel: "info",
      metrics: { port: undefined, token: undefined },
      secrets: ["xoxb-1-abc", "xapp-1-abc", "key-0123456789"],
      slack: { botToken: "xoxb-1-abc", apiUrl: undefined, receiver: { kind: "socket", appToken: "xapp-1-abc" } },
      service: { baseUrl: "https://scheduler.example.com", apiKey: "key-0123456789" },
      accountKeys: {},
    });
  });

  test("takes the keys of further accounts, directly and from files, and keeps each out of the log", () => {
    const keys = { SCHEDULER_API_KEY_EU: "key-of-eu", SCHEDULER_API_KEY_US_EAST_FILE: "us.key" };
    const accounts = ["eu", "us-east"];
    const found = readEnvironment({ ...complete, ...keys }, () => "key-of-us", accounts);
    expect(found).toMatchObject({
      accountKeys: { SCHEDULER_API_KEY_EU: "key-of-eu", SCHEDULER_API_KEY_US_EAST: "key-of-us" },
      secrets: expect.arrayContaining(["key-of-eu", "key-of-us"]),
    });
    const wrong = { ...complete, SCHEDULER_API_KEY_EU: "two words" };
    expect(readEnvironment(wrong, readFile, ["eu"])).toMatchObject({
      problems: ["SCHEDULER_API_KEY_EU must be one word, without spaces or control characters"],
    });
    // Without such an account it is another program's variable.
    expect(read(wrong)).toMatchObject({ kind: "slack" });
  });

  test("uses HTTP when there is a signing secret instead of an app token", () => {
    expect(read({ ...complete, SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: "0a1b2c" })).toMatchObject({
      slack: { receiver: { kind: "http", signingSecret: "0a1b2c" } },
    });
  });

  test.each([
    ["postgres://curfew:p%40ss@db:5432/curfew?sslmode=verify-full", ["p%40ss", "p@ss"]],
    ["postgresql:///curfew?host=/run/postgresql&password=p%25ss", ["p%ss"]],
    ["postgres://curfew@db/curfew", []],
  ])("accepts the database %j and keeps its password out of the log", (DATABASE_URL, passwords) => {
    const { database, secrets } = { secrets: [""], database: "", ...read({ ...complete, DATABASE_URL }) };
    expect(database).toBe(DATABASE_URL);
    expect(secrets).toEqual(["xoxb-1-abc", "xapp-1-abc", "key-0123456789", ...passwords]);
  });

  test("takes two signing secrets and two metrics tokens, and keeps each out of the log", () => {
    const env = { SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: "the-new-one\n the-old-one" };
    const METRICS_TOKEN = "metrics-token-new metrics-token-old";
    const { secrets } = { secrets: [""], ...read({ ...complete, ...env, METRICS_TOKEN }) };
    const each = ["the-new-one", "the-old-one", "metrics-token-new", "metrics-token-old"];
    expect(secrets).toEqual(expect.arrayContaining(each));
    expect(problemsOf({ ...complete, ...env, SLACK_SIGNING_SECRET: "one two three" })).toEqual([
      "SLACK_SIGNING_SECRET must be one word, or the new and the old one with a space between",
    ]);
  });

  test("refuses to be served both ways", () => {
    expect(problemsOf({ ...complete, SLACK_SIGNING_SECRET: "0a1b2c" })).toEqual([
      "set only one of SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode); both are set",
    ]);
  });

  test.each([
    ["SLACK_BOT_TOKEN", "xoxp-1", "must start with xoxb-"],
    ["SLACK_BOT_TOKEN", "xoxe.xoxb-1-abc", "is a rotating token (xoxe), which expires within hours"],
    ["SLACK_APP_TOKEN", "xoxb-1", "must start with xapp-"],
    ["SCHEDULER_API_KEY", "two words", "must be one word"],
    ["SCHEDULER_API_KEY", "line\r\nbreak", "must be one word"],
    ["SCHEDULER_BASE_URL", "scheduler.example.com", "must be an http:// or https:// URL"],
    ["SCHEDULER_BASE_URL", "ftp://scheduler.example.com", "must be an http:// or https:// URL"],
    [
      "SCHEDULER_BASE_URL",
      "https://me:pw@scheduler.example.com",
      "must be an http:// or https:// URL without user name",
    ],
    ["SLACK_API_URL", "slack", "must be an http:// or https:// URL"],
    ["PORT", "65536", "must be a number from 0 to 65535"],
    ["PORT", "-1", "must be a number from 0 to 65535"],
    ["DATABASE_URL", "postgres://curfew:pw@db", "must be sqlite:<path>"],
    ["DATABASE_URL", "postgres://curfew:pw@db:port/curfew", "must be sqlite:<path>"],
    ["DATABASE_URL", "mysql://curfew:pw@db/curfew", "must be sqlite:<path>"],
    ["DATABASE_URL", "data/curfew.db", "must be sqlite:<path>"],
    ["DATABASE_URL", "sqlite:", "must be sqlite:<path>"],
    ["DATABASE_URL", "sqlite://data/curfew.db", "must be sqlite:<path>"],
    ["CURFEW_COMMAND", "curfew", "must be / and up to 31"],
    ["CURFEW_COMMAND", "/Curfew", "must be / and up to 31"],
    ["CURFEW_COMMAND", "/", "must be / and up to 31"],
    ["CURFEW_COMMAND", `/${"c".repeat(32)}`, "must be / and up to 31"],
    ["LOG_LEVEL", "verbose", "must be trace"],
    ["DRAIN_SECONDS", "11", "must be a number from 0 to 10"],
  ])("refuses %s=%j without repeating the value", (name, value, expected) => {
    const [problem, ...others] = problemsOf({ ...complete, [name]: value });
    expect(others).toEqual([]);
    expect(problem).toContain(`${name} ${expected}`);
    expect(problem).not.toContain("pw");
  });

  test("reports everything missing or wrong together", () => {
    expect(problemsOf({ SLACK_BOT_TOKEN: "bot", PORT: "x", SCHEDULER_API_KEY_FILE: "/run/none" })).toEqual([
      "SCHEDULER_API_KEY_FILE cannot be read: ENOENT: no such file or directory, open '/run/none'",
      "SLACK_BOT_TOKEN must start with xoxb-",
      "SCHEDULER_BASE_URL is missing",
      "PORT must be a number from 0 to 65535",
      "SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode) is missing",
    ]);
  });
});

describe("NAME_FILE", () => {
  const { SCHEDULER_API_KEY: _, ...rest } = complete;

  test("takes the value from a file, without its last line break", () => {
    expect(read({ ...rest, SCHEDULER_API_KEY_FILE: "/run/key" })).toMatchObject({
      service: { apiKey: "key-from-file" },
      secrets: expect.arrayContaining(["key-from-file"]),
    });
  });

  test("cannot be set beside the variable itself", () => {
    expect(problemsOf({ ...complete, SCHEDULER_API_KEY_FILE: "/run/key" })).toEqual([
      "SCHEDULER_API_KEY and SCHEDULER_API_KEY_FILE are both set: keep one of them",
    ]);
  });

  test("refuses an empty file", () => {
    expect(problemsOf({ ...rest, SCHEDULER_API_KEY_FILE: "/run/empty" })).toEqual([
      "SCHEDULER_API_KEY_FILE names an empty file, /run/empty",
    ]);
  });
});

test("a .env file adds variables and never overrides one that is set", () => {
  const dotEnv = '# comment\nPORT=4000\nexport LOG_LEVEL="debug" # loud\n';
  expect(loadDotEnv(dotEnv, { PORT: "5000" })).toEqual({ PORT: "5000", LOG_LEVEL: "debug" });
});

test("reads no file that is larger than any secret, and still reads the others", () => {
  const huge = (path: string) => (path === "/huge" ? "a".repeat(20_000_000) : "another-metrics-token");
  expect(readSecretFiles({ SCHEDULER_API_KEY_FILE: "/huge", METRICS_TOKEN_FILE: "/token" }, huge)).toEqual([
    { name: "SCHEDULER_API_KEY", problem: "SCHEDULER_API_KEY_FILE names a file that is too large, /huge" },
    { name: "METRICS_TOKEN", value: "another-metrics-token" },
  ]);
});
