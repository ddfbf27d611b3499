import { WebClient } from "@slack/web-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/sandbox/workspace/json-object.ts";
import { createActors } from "../../src/slack/people/actors.ts";
import { createChannelMembers } from "../../src/slack/people/channel-members.ts";
import { quietLog } from "../changes/build.ts";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { merge } from "../support/wire.ts";
import answers from "./recorded/answers.json" with { type: "json" };
import { variantsOf } from "./recorded/vary.ts";

type Method = keyof typeof answers;

/** Slack's own client reads `ok` and writes into `response_metadata`. */
const always = ["ok", "response_metadata"];

/** Reads once with each field of the answer missing, null and empty. The results that differ from the usual one. */
async function play<T>(
  { workspace }: Curfew,
  method: Method,
  read: () => Promise<T>,
  needed: readonly string[] = [],
): Promise<Readonly<Record<string, T | string>>> {
  const { answer } = answers[method];
  await read();
  const usual = workspace.calls.findLast((call) => call.method === method)?.answer;
  const shape = merge(answer, usual as JsonObject);
  const results: Record<string, T | string> = {};
  for (const { name, vary } of variantsOf(shape, new Set([...always, ...needed]))) {
    workspace.faults.alter(method, (sent) => vary(merge(answer, sent)));
    results[name] = await read().catch((error: unknown) => String(error));
    workspace.faults.clear();
  }
  return results;
}

describe("each field of an answer may be missing, null or empty", () => {
  const { curfew, clock } = oneBot();
  const client = () => new WebClient(curfew().workspace.botToken, { slackApiUrl: curfew().workspace.apiUrl });
  const actors = (groupIds: readonly string[] = []) => {
    const { teamId } = curfew().workspace;
    return createActors({
      client: client(),
      teamId: () => teamId,
      groupIds: () => groupIds,
      elapsedMs: () => 0,
      log: quietLog,
    });
  };
  const ofCarol = { userId: "U03CAROL", teamId: "T0CURFEW", membership: "member" };
  const isCarol = (result: unknown) => expect(result).toMatchObject(ofCarol);

  it("of a person: every request of theirs is answered", async () => {
    const needed = ["user", "user.id"];
    const results = await play(
      curfew(),
      "users.info",
      async () => {
        clock.advance(61_000);
        return (await ask(curfew(), "carol", "whoami")).text;
      },
      needed,
    );
    // Whose workspace is not said counts as nobody of ours.
    for (const [name, text] of Object.entries(results))
      expect(text, name).toMatch(
        name.startsWith("user.team_id") ? /Only full members of this workspace can use Curfew/ : /admin/,
      );
  });

  it("of a person who is found by e-mail address", async () => {
    const read = async () => actors().withEmail("carol@example.com");
    const results = await play(curfew(), "users.lookupByEmail", read, ["user", "user.id", "user.team_id"]);
    for (const result of Object.values(results)) isCarol(result);
  });

  it("of the user groups", async () => {
    const read = async () => (await actors(["S0ENGINEERS"]).actor("U01ALICE")).groupIds;
    const results = await play(curfew(), "usergroups.list", read);
    for (const [name, groupIds] of Object.entries(results))
      expect(groupIds, name).toEqual(
        /^usergroups(?:\.0|\.0\.id|\.0\.users(?:\.0)?)?:/.test(name) ? [] : ["S0ENGINEERS"],
      );
  });

  it("of a channel and its members", async () => {
    const members = () => createChannelMembers({ client: client(), elapsedMs: () => 0, log: quietLog });
    const names = await play(curfew(), "conversations.info", () => members().nameOf("C0OPS"));
    for (const [name, result] of Object.entries(names))
      expect(result, name).toBe(/^channel(?:\.name)?:/.test(name) ? undefined : "ops");
    const has = await play(curfew(), "conversations.members", () => members().has("C0OPS", "U03CAROL", "read"));
    for (const [name, result] of Object.entries(has)) expect(result, name).toBe(!name.startsWith("members:"));
  });
});

describe("each field of the bot's identity may be missing, null or empty", () => {
  let curfew: Curfew;
  beforeAll(async () => {
    curfew = await startCurfew();
  });
  afterAll(() => curfew.stop());

  it("but for its workspace and its ids", async () => {
    const restart = async () => {
      await curfew.restart();
      return "started";
    };
    const results = await play(curfew, "auth.test", restart, ["team_id", "bot_id", "user_id"]);
    expect(new Set(Object.values(results))).toEqual(new Set(["started"]));
  });
});
