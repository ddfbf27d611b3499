import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ask, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { startCurfew } from "../support/start-curfew.ts";

/** As it was installed before Curfew listened to messages. */
const older = JSON.parse(
  manifestWithout("app_mentions:read", "im:history", "app_mention", "message.im").replace(
    '"messages_tab_read_only_enabled": false',
    '"messages_tab_read_only_enabled": true',
  ),
);
/** The same with one of the two scopes. */
const without = (scope: string, event: string) => JSON.parse(manifestWithout(scope, event));
const { curfew } = oneBot({ manifest: older });

it("an installation without the scopes for messages goes on without them", async () => {
  expect(JSON.stringify(older)).not.toMatch(/app_mention|im:history/);
  const alice = curfew().workspace.as("alice");
  await alice.type("@Curfew exclude staging for 1h", "ops");
  await expect(alice.type("status", "dm")).rejects.toThrow("read-only");
  expect(curfew().workspace.appRequests).toEqual([]);
  expect((await ask(curfew(), "alice", "exclude staging for 1h")).text).toContain("Keeping ");
});

function manifestWithout(...entries: readonly string[]): string {
  return entries.reduce(
    (text, entry) => text.replace(new RegExp(`,\\s*"${entry}"`), ""),
    readFileSync("manifest/slack-app.http.json", "utf8"),
  );
}

it.each([
  ["app_mentions:read", "app_mention", "ops", "dm"],
  ["im:history", "message.im", "dm", "ops"],
])("an installation without %s hears the rest", async (scope, event, unheard, heard) => {
  const bot = await startCurfew({ manifest: without(scope, event) });
  const carol = bot.workspace.as("carol");
  await carol.type("@Curfew whoami", unheard);
  expect(bot.workspace.appRequests).toEqual([]);
  expect((await messagesAfter(bot, "carol", () => carol.type("@Curfew whoami", heard), heard)).text).toContain("admin");
  await bot.stop();
});
