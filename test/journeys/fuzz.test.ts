import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Delivery } from "../../src/sandbox/workspace/deliveries.ts";
import { isJsonObject, type JsonObject, objectAt } from "../../src/sandbox/workspace/json-object.ts";
import { unlimitedConfig } from "../support/in-both-modes.ts";
import { ask, cardOf, changesSentTo, openForm, send, toldAfter } from "../support/journey.ts";
import { createRandom, mangle } from "../support/mangle.ts";
import { oneBot } from "../support/one-bot.ts";
import { secretsLogged } from "../support/secrets-logged.ts";
import { formType, lastDelivery, post, signedHeaders } from "../support/wire.ts";

/** Carol may be offered everything and do nothing, so that every way is gone to its end and a change can only be a hole. */
const onlyNowhere = unlimitedConfig.replace('allow: ["*"]', 'allow: ["*"]\n      where: { projects: [p-nowhere] }');
const budgetMs = 3000;
/** How many of each kind at least, however long it takes: FUZZ_PAYLOADS=10000 for a thorough run. */
const payloads = Number(process.env.FUZZ_PAYLOADS ?? 50);

const fetched = new Set<string>();
const answers: string[] = [];
const answering: typeof fetch = async (url, init) => {
  fetched.add(new URL(String(url)).origin);
  answers.push(String(init?.body));
  return new Response("ok");
};
const { curfew } = oneBot();
const person = () => curfew().workspace.as("carol");
const samples = new Map<string, Delivery>();

/** One of each kind of payload, as Slack sends it. */
beforeAll(async () => {
  const keep = (name: string, type = name) => samples.set(name, lastDelivery(curfew(), type));
  const { workspace } = curfew();
  const { changeId } = await ask(curfew(), "carol", "exclude staging for 1h");
  keep("command");
  const card = await cardOf(curfew(), changeId);
  await person().messageShortcut("Exclude resources", card);
  await workspace.waitFor(() => person().openView());
  keep("message_action");
  await person().cancel(true);
  await person().shortcut("New exclusion");
  await workspace.waitFor(() => person().openView());
  keep("shortcut");
  await person().cancel(true);
  await openForm(curfew(), "carol", "exclude");
  await person().fill({ "Resource ids": "i-0a1", "Resource type": "amazon-ec2-instance" });
  keep("choice in a form", "block_actions");
  await person().fill({ Project: "p-dev" });
  keep("block_suggestion");
  await send(curfew(), "carol");
  keep("view_submission");
  keep("view_closed", "view_submission");
  await toldAfter(curfew(), "carol", () => person().press("End", card));
  keep("button", "block_actions");
  await person().openHome();
  keep("event", "app_home_opened");
  await curfew().app.stop();
  await curfew().restart({ fetch: answering }, onlyNowhere);
});

let sentSoFar = 0;
/** The same as a request of its own: what was acted on before is only told again. */
function asNew(name: string, { payload }: Delivery): JsonObject {
  const id = `1.${++sentSoFar}.fuzz`;
  const { view, container } = payload;
  return {
    ...payload,
    ...(name === "view_closed" ? { type: "view_closed", is_cleared: true } : {}),
    ...("trigger_id" in payload ? { trigger_id: id } : {}),
    ...(isJsonObject(view) ? { view: { ...view, id: `V${id}` } } : {}),
    ...(isJsonObject(container) ? { container: { ...container, message_ts: id } } : {}),
  };
}

function encode({ kind }: Delivery, payload: unknown): readonly [body: string, contentType: string] {
  if (kind === "event") return [JSON.stringify(payload), "application/json"];
  const fields = kind === "command" ? objectAt(payload) : { payload: JSON.stringify(payload) };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of [value].flat()) form.append(name, typeof each === "string" ? each : JSON.stringify(each));
  }
  return [form.toString(), formType];
}

const kinds = [
  "command",
  "button",
  "choice in a form",
  "view_submission",
  "view_closed",
  "block_suggestion",
  "shortcut",
  "message_action",
  "event",
];

const failures: unknown[] = [];
const see = (error: unknown) => void failures.push(error);
beforeAll(() => void process.on("unhandledRejection", see).on("uncaughtException", see));
afterAll(() => void process.off("unhandledRejection", see).off("uncaughtException", see));

describe("payloads of which a part is something else than Slack would send, rightly signed", () => {
  it.concurrent.each(kinds)(
    "of the kind %s change nothing and end nothing",
    async (name) => {
      const sample = samples.get(name);
      if (sample === undefined) throw new Error(`There is no ${name}.`);
      const changes = changesSentTo(curfew());
      const random = createRandom(name.length);
      let sent = 0;
      const sendOne = async () => {
        sent++;
        const once = mangle(asNew(name, sample), random);
        const [body, type] = encode(sample, random() < 0.3 ? mangle(once, random) : once);
        expect((await post(curfew(), body, signedHeaders(curfew(), body, type))).status).toBeLessThanOrEqual(500);
      };
      const until = performance.now() + budgetMs;
      const sender = async () => {
        while (sent < payloads || performance.now() < until) await sendOne();
      };
      await Promise.all([sender(), sender(), sender()]);
      await curfew().app.idle();
      expect(sent).toBeGreaterThanOrEqual(payloads);
      expect((await fetch(`${curfew().url}/healthz`)).status).toBe(200);
      expect(changes()).toEqual([]);
    },
    600_000,
  );

  it("left Curfew as it was, and told nobody of its inside", async () => {
    const { workspace } = curfew();
    expect(failures).toEqual([]);
    expect([...fetched]).toEqual([new URL(workspace.apiUrl).origin]);
    expect(secretsLogged(curfew()).slice(0, 3)).toEqual([]);
    const told = [
      ...answers,
      ...person()
        .messages("dm")
        .map(({ text, blocks }) => JSON.stringify([text, blocks])),
    ];
    const inside = /Error: |API error occurred|SQLITE|is not a function|Cannot read|at file:|\.ts:\d|\[object |ECONN/;
    expect(told.filter((text) => inside.test(text)).slice(0, 3)).toEqual([]);
    expect("isAdmin" in {}).toBe(false);
    await curfew().app.stop();
    await curfew().restart();
    expect((await ask(curfew(), "carol", "exclude staging for 1h")).text).toContain("You excluded");
  });
});
