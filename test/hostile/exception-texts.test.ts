import { setTimeout as pass } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createServiceClient } from "../../src/service/client.ts";
import { openStore } from "../../src/store/open-store.ts";
import { callLine } from "../support/as-caller.ts";
import { ask } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { wholeExample } from "../support/start-curfew.ts";

/** The text of every exception that is thrown here. */
const marker = "Cannot read properties of hunter2";
const fail = () => Promise.reject(new TypeError(marker));

const config = `${wholeExample.replace("perPersonPerMinute: 30", "perPersonPerMinute: 0")}
calendars: [{ name: holidays, url: "https://calendars.example.com/h.ics" }]
`;
const { curfew } = oneBot({ config });

/** The part that throws now: a method of the store or of the service client, or Slack's answers by URL. */
let broken = "";
const used = new Set<string>();
/** Those of the instance, which the others would take for dead. */
const left: ReadonlySet<string> = new Set(["store.close", "store.beat", "store.leave", "store.onUnreadable"]);
const breaking = <T extends object>(part: T, name: string): T =>
  new Proxy(part, {
    get: (target, key, receiver) => {
      const value: unknown = Reflect.get(target, key, receiver);
      const path = `${name}.${String(key)}`;
      if (typeof value === "function") used.add(path);
      return typeof value === "function" && broken === path ? fail : value;
    },
  });

const heard: string[] = [];

/** One of each way in. What is not answered, since Curfew is broken, is passed over. */
async function useEverything(): Promise<void> {
  const { workspace, url } = curfew();
  const person = (who: string) => workspace.as(who);
  const lines = [
    "exclude staging for 1h --another because demo",
    "exclude staging every weekday from 18:00 to 20:00 for 1w not on holidays",
    "user disable dave@example.com",
    "status staging",
    "why i-0a1",
    "next",
    "history",
    "action list",
    "exclusions mine",
    "undo",
    "plan edit",
  ];
  const all = [
    ...lines.map((line) => person("carol").type(`/curfew ${line}`, "ops")),
    person("alice").type("@Curfew exclude staging for 2h --another", "ops"),
    person("alice").type("status", "dm"),
    person("bob").openHome(),
    person("bob").shortcut("Keep running"),
    callLine({ url }, "exclude staging for 1h --another").then(({ body }) => heard.push(JSON.stringify(body))),
  ];
  await Promise.allSettled(all);
  const answer = person("alice")
    .messages("ops")
    .findLast(({ isFromApp }) => isFromApp);
  if (answer)
    await person("alice")
      .press("End now", answer)
      .catch(() => undefined);
  const form = person("bob").openView();
  if (form)
    await person("bob")
      .suggest("Project", "dev")
      .catch(() => undefined);
  if (form)
    await person("bob")
      .submit()
      .catch(() => undefined);
  for (const who of ["alice", "bob", "carol"]) if (person(who).openView()) await person(who).cancel();
  await pass(20);
}

it("no person and no pipeline reads the text of an exception, whatever throws", async () => {
  const { service } = curfew();
  const client = createServiceClient({ ...service, callTimeoutMs: 3000, sleep: async () => undefined });
  onTestFinished(() => client.close());
  await curfew().app.stop();
  await curfew().restart({
    service: breaking(client, "service"),
    fetch: (...given) => (broken === "fetch" ? fail() : fetch(...given)),
    openStore: async (...given) => breaking(await openStore(...given), "store"),
  });
  used.clear();
  await useEverything();
  const parts = ["fetch", ...used].filter((name) => !left.has(name));
  for (const name of parts) {
    broken = name;
    await useEverything();
  }
  broken = "";
  await curfew().app.idle();
  expect((await ask(curfew(), "carol", "whoami")).text).toContain("carol");
  const { workspace, logged } = curfew();
  const said = JSON.stringify([workspace.calls, workspace.appRequests.map(({ answer }) => answer), heard]);
  expect(parts.length).toBeGreaterThan(30);
  expect(logged.filter((line) => line.includes(marker)).length).toBeGreaterThan(100);
  const at = said.indexOf(marker);
  expect(at < 0 ? "" : said.slice(Math.max(0, at - 300), at + 100)).toBe("");
  const [reference = "none"] = /err-[0-9a-f]{8}/.exec(said) ?? [];
  expect(logged.some((line) => line.includes(`"reference":"${reference}"`) && line.includes(marker))).toBe(true);
}, 300_000);
