import { expect, test } from "vitest";
import { createTrials } from "../../src/app/secrets-in-force.ts";
import { quietLog, someSettings } from "../changes/build.ts";

const database = "postgres://curfew:old@127.0.0.1:1/curfew";
const service = { baseUrl: "http://127.0.0.1:1", apiKey: "key" };
const slack = { botToken: "xoxb-1", apiUrl: undefined, receiver: { kind: "http", signingSecret: "secret" } } as const;
const environment = { service, slack, database };
const sources = { environment, settings: someSettings, now: Date.now, log: quietLog };
const tried = (url: string) => createTrials(sources, () => "").DATABASE_URL?.(url);

test.each(["?host=127.0.0.2", "?port=2", "?options=-csearch_path%3Dother"])(
  "takes no URL of a database elsewhere: %s",
  async (settings) => {
    expect(await tried(database + settings)).toBe("it names another database, which needs a restart");
  },
);

test("tries one of the same database", async () => {
  expect(await tried(database.replace("old", "new"))).toBe("the database says ECONNREFUSED");
});
