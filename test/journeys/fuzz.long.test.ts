import { afterAll, beforeAll, expect, it } from "vitest";
import type { AppRequest } from "../../src/sandbox/workspace/deliveries.ts";
import { isJsonObject, type JsonObject, objectAt } from "../../src/sandbox/workspace/json-object.ts";
import { ask, cardOf, changesSentTo, fillIn, messagesAfter, openForm, send } from "../support/journey.ts";
import { createRandom, mangle } from "../support/mangle.ts";
import { oneBot } from "../support/one-bot.ts";
import { secretsLogged } from "../support/secrets-logged.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";
import { formType, lastDelivery, post, signedHeaders } from "../support/wire.ts";

/** Carol may see every form and change nothing, so any change is a hole. */
const onlyNowhere = unlimitedConfig.replace('allow: ["*"]', 'allow: ["*"]\n      where: { projects: [p-nowhere] }');
/** How many payloads of each kind. Use FUZZ_PAYLOADS=10000 for a thorough run. */
const payloads = Number(process.env.FUZZ_PAYLOADS ?? 150);

const fetched = new Set<string>();
const answers: string[] = [];
const answering: typeof fetch = async (url, init) => {
  fetched.add(new URL(String(url)).origin);
  answers.push(String(init?.body));
  return new Response("ok");
};
const { curfew } = oneBot();
const person = () => curfew().workspace.as("carol");
const samples = new Map<string, AppRequest>();

/** One payload of each kind, as Slack sends it. */
beforeAll(async () => {
  const keep = (name: string, type = name) => samples.set(name, lastDelivery(curfew(), type));
  const { workspace } = curfew();
  const { changeId } = await ask(curfew(), "carol", "exclude staging for 1h");
  keep("command");
  const card = await cardOf(curfew(), changeId);
  await person().messageShortcut("Keep these running", card);
  await workspace.waitFor(() => person().openView());
  keep("message_action");
  await person().cancel();
  await person().shortcut("Keep running");
  await workspace.waitFor(() => person().openView());
  keep("shortcut");
  await person().cancel();
  await openForm(curfew(), "carol", "exclude");
  await fillIn(curfew(), "carol", { What: "i-0b1", "Resource type": "amazon-ec2-instance" });
  keep("choice in a form", "block_actions");
  await person().fill({ Project: "p-dev" });
  keep("block_suggestion");
  await send(curfew(), "carol");
  keep("view_submission");
  keep("view_closed", "view_submission");
  await messagesAfter(curfew(), "carol", () => person().press("End now", card));
  keep("button", "block_actions");
  await person().openHome();
  keep("event", "app_home_opened");
  await curfew().app.stop();
  await curfew().restart({ fetch: answering }, onlyNowhere);
});

let sentSoFar = 0;
/** The same payload as a new request, since a repeat only gets the earlier reply. */
function asNew(name: string, { payload }: AppRequest): JsonObject {
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

function encode({ kind }: AppRequest, payload: unknown): readonly [body: string, contentType: string] {
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

async function sendMangled(name: string): Promise<void> {
  const sample = samples.get(name);
  if (sample === undefined) throw new Error(`There is no ${name}.`);
  const random = createRandom(name.length);
  let sent = 0;
  const sender = async () => {
    while (sent++ < payloads) {
      const once = mangle(asNew(name, sample), random);
      const [body, type] = encode(sample, random() < 0.3 ? mangle(once, random) : once);
      const { status } = await post(curfew(), body, signedHeaders(curfew(), body, type));
      expect(status, `${name}: ${body.slice(0, 500)}`).toBeLessThanOrEqual(500);
    }
  };
  await Promise.all([sender(), sender(), sender()]);
}

it("malformed payloads with valid signatures change nothing, stop nothing and reveal no internals", async () => {
  const changes = changesSentTo(curfew());
  await Promise.all(kinds.map(sendMangled));
  await curfew().app.idle();
  expect((await fetch(`${curfew().url}/healthz`)).status).toBe(200);
  expect(changes()).toEqual([]);

  const { workspace } = curfew();
  expect(failures).toEqual([]);
  expect([...fetched]).toEqual([new URL(workspace.apiUrl).origin]);
  expect(secretsLogged(curfew()).slice(0, 3)).toEqual([]);
  const direct = person().messages("dm");
  const texts = [...answers, ...direct.map(({ text, blocks }) => JSON.stringify([text, blocks]))];
  const inside = /Error: |API error occurred|SQLITE|is not a function|Cannot read|at file:|\.ts:\d|\[object |ECONN/;
  expect(texts.filter((text) => inside.test(text)).slice(0, 3)).toEqual([]);
  expect("isAdmin" in {}).toBe(false);
  await curfew().app.stop();
  await curfew().restart();
  expect((await ask(curfew(), "carol", "exclude staging for 1h")).text).toContain("Keeping ");
}, 600_000);
