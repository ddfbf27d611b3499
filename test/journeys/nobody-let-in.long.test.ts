import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AppRequest } from "../../src/sandbox/workspace/deliveries.ts";
import type { JsonObject } from "../../src/sandbox/workspace/json-object.ts";
import { cardOf, changesSentTo, messagesAfter, openForm, ask as say, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { formType, lastDelivery, post, sendCrafted, signedHeaders } from "../support/wire.ts";

const fetched: string[] = [];
const { curfew, clock } = oneBot({
  overrides: {
    fetch: (url, init) => {
      fetched.push(new URL(String(url)).host);
      return fetch(url, init);
    },
  },
});
const ask = (who: string, line: string, where?: string) => say(curfew(), who, line, where);
const until = () => Math.floor(Date.now() / 60_000) * 60 + 7200;
const formId = "i-0b1";
const complete = () => ({
  What: formId,
  "Resource type": "amazon-ec2-instance",
  Project: "p-dev",
  Until: until(),
});

let form: AppRequest;
let press: AppRequest;
let line: AppRequest;
let suggestion: AppRequest;
beforeAll(async () => {
  const { changeId } = await ask("alice", "exclude staging for 1h --another");
  line = lastDelivery(curfew(), "command");
  const card = await cardOf(curfew(), changeId);
  await messagesAfter(curfew(), "alice", () => curfew().workspace.as("alice").press("End now", card));
  press = lastDelivery(curfew(), "block_actions");
  await openForm(curfew(), "alice", "exclude");
  await send(curfew(), "alice", complete());
  form = lastDelivery(curfew(), "view_submission");
  suggestion = lastDelivery(curfew(), "block_suggestion");
});

let crafted = 0;
let changes: () => readonly string[] = () => [];
beforeEach(async () => {
  await curfew().app.idle();
  changes = changesSentTo(curfew());
  fetched.length = 0;
});

/** A new form about another resource, since a form that was sent before only gets its earlier outcome. */
const sendForm = (view: JsonObject, rest: JsonObject = {}) => {
  const other: AppRequest = JSON.parse(JSON.stringify(form).replaceAll(formId, `${formId}${++crafted}`));
  return sendCrafted(curfew(), other, { ...rest, view: { id: `V0CRAFTED${crafted}`, ...view } });
};
const meta = (changed: JsonObject) => JSON.stringify({ words: "exclusion create", channelId: "C0OPS", ...changed });
const pressOn = (action: JsonObject, rest: JsonObject = {}) =>
  sendCrafted(curfew(), press, {
    ...rest,
    container: { message_ts: `1.${++crafted}` },
    actions: [{ type: "button", block_id: "b", action_ts: "1.1", ...action }],
  });
const typeLine = (changed: JsonObject) => sendCrafted(curfew(), line, { trigger_id: `1.${++crafted}.x`, ...changed });

it("the payloads forged below are carried out when left as Slack sent them", async () => {
  await sendForm({ private_metadata: meta({}) });
  await typeLine({});
  await pressOn({ action_id: "run:exclusion create:again", value: JSON.stringify(anExclusion()) });
  expect(changes()).toEqual(["CreateActionExclusion", "CreateActionExclusion", "CreateActionExclusion"]);
});

describe("a request without a valid or fresh Slack signature", () => {
  const event = JSON.stringify({ type: "event_callback", event: { type: "app_home_opened", tab: "home", user: "U1" } });
  const bodyOf = ({ payload }: AppRequest) => new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

  it.each([
    ["a form", () => bodyOf(form), formType],
    ["a button", () => bodyOf(press), formType],
    ["a look-up", () => bodyOf(suggestion), formType],
    ["an event", () => event, "application/json"],
  ])("with %s is answered 401 and has no effect", async (_what, body, contentType) => {
    const calls = curfew().workspace.calls.length;
    const forged = signedHeaders(curfew(), `${body()} `, contentType);
    for (const headers of [forged, { "content-type": contentType }, signedHeaders(curfew(), body(), contentType, 301)])
      expect((await post(curfew(), body(), headers)).status).toBe(401);
    await curfew().app.idle();
    expect(curfew().workspace.calls).toHaveLength(calls);
  });

  it("cannot pass as Slack's unsigned certificate check", async () => {
    const body = new URLSearchParams({ ...strings(line.payload), trigger_id: "2.ssl", ssl_check: "1" }).toString();
    expect((await post(curfew(), body, { "content-type": formType })).status).toBe(200);
    await curfew().app.idle();
    expect(changes()).toEqual([]);
  });

  it("is carried out once when the same valid request is replayed", async () => {
    const body = new URLSearchParams({ ...strings(line.payload), trigger_id: "3.replay" }).toString();
    const headers = signedHeaders(curfew(), body);
    await Promise.all([1, 2, 3].map(() => post(curfew(), body, headers)));
    await post(curfew(), body, headers);
    await curfew().app.idle();
    expect(changes()).toEqual(["CreateActionExclusion"]);
  });
});

describe("a form with a forged person, place, command or target", () => {
  it.each(["U05GINA", "U06ERIN", "U07FRED", "U08ROBOT", "U04DAVE", "USLACKBOT", "U0NOBODY", "", "__proto__"])(
    "does nothing for %s",
    async (id) => {
      await sendForm({}, { user: { id, team_id: "T0CURFEW" } });
      await typeLine({ user_id: id });
      await pressOn(
        { action_id: "run:exclusion create:again", value: JSON.stringify(anExclusion()) },
        { user: { id } },
      );
      expect(changes()).toEqual([]);
    },
  );

  it.each([null, "C0RANDOM", "", "c0ops"])("does nothing in %s, where its sender has no right", async (channelId) => {
    await sendForm({ private_metadata: meta({ channelId }) });
    expect(changes()).toEqual([]);
  });

  it("from a direct message, it is done in the name of the channel where its sender has the right and is", async () => {
    const sendThere = () => sendForm({ private_metadata: meta({ channelId: "D0ALICE" }) });
    await sendThere();
    expect(changes()).toEqual(["CreateActionExclusion"]);
    expect(textOf(curfew().workspace.channel("ops").messages.at(-1) ?? { blocks: [], text: "" })).toContain(formId);
    await curfew().workspace.changes.leave("alice", "ops");
    clock.advance(61_000);
    await sendThere();
    expect(changes()).toEqual(["CreateActionExclusion"]);
    await curfew().workspace.changes.join("alice", "ops");
    clock.advance(61_000);
  });

  it.each([
    ["another command that its sender may not use", { words: "user remove-mfa", edits: { user: "u-00000001" } }],
    ["a command there is not", { words: "exclusion purge" }],
    ["a word that every object has", { words: "constructor" }],
    ["what belongs to somebody else", { words: "exclusion edit", edits: { exclusion: "aex-00000001" } }],
    ["a thing that is no text", { words: "exclusion edit", edits: { exclusion: { id: ["aex-00000001"] } } }],
    ["a key there is not", { role: "admin" }],
    ["a channel that is no text", { channelId: ["C0OPS"] }],
  ])("does nothing for %s", async (_what, changed) => {
    await sendForm({ private_metadata: meta(changed) });
    expect(changes()).toEqual([]);
  });

  it.each(["", "null", "[]", "{", '"exclusion create"', "{}", `{"__proto__":${meta({})}}`])(
    "counts as another version when it carries %j",
    async (private_metadata) => {
      const { text } = await messagesAfter(curfew(), "alice", () => sendForm({ private_metadata }));
      expect(text).toContain("This form is from another version of Curfew. Nothing was changed");
      expect(changes()).toEqual([]);
    },
  );

  it("is ignored when it does not name a form of Curfew's", async () => {
    const callbacks = ["command-form2", " command-form", "Command-Form", "", "new-exclusion"];
    await Promise.all(callbacks.map((callback_id) => sendForm({ callback_id })));
    expect(changes()).toEqual([]);
  });
});

describe("a button that Curfew never created", () => {
  it.each([
    ["run:user remove-mfa:remove", { user: "u-00000001", mfaType: "google-auth" }],
    ["run:exclusion end:end now", { exclusion: "aex-00000001" }],
    ["run:exclusion create:again", { resourceIds: ["i-0a1"] }],
    ["run:exclusion create:again", { ...anExclusion(), project: "p-prod" }],
    ["run:exclusion create:again", { ...anExclusion(), isAdmin: true }],
    ["run:exclusion create:again", [anExclusion()]],
    ["run:__proto__:x", {}],
    ["run:", null],
    ["form:user remove-mfa:x", {}],
    ["form:no such command:x", {}],
  ])("%$: with %s and another value is refused, and opens nothing", async (action_id, value) => {
    const { text } = await messagesAfter(curfew(), "alice", () => pressOn({ action_id, value: JSON.stringify(value) }));
    expect(text).toMatch(/Nothing was changed/i);
    expect(changes()).toEqual([]);
    expect(curfew().workspace.as("alice").openView()).toBeUndefined();
  });

  it("is ignored when its id only resembles one of Curfew's", async () => {
    const ids = ["run", "RUN:exclusion create:x", "xrun:exclusion create:x", "run\n:exclusion create:x"];
    await Promise.all(ids.map((action_id) => pressOn({ action_id, value: JSON.stringify(anExclusion()) })));
    expect(changes()).toEqual([]);
  });

  it("on an outdated card says so to everybody", async () => {
    const { actions } = press.payload;
    const [action] = Array.isArray(actions) ? actions : [];
    for (const id of ["U01ALICE", "U03CAROL", "U02BOB"]) await pressOn(action, { user: { id } });
    expect(changes()).toEqual([]);
  });
});

describe("a response_url outside Slack", () => {
  const addresses = [
    "http://169.254.169.254/latest",
    "https://hooks.slack.com.evil.example/x",
    "file:///etc/passwd",
    "no address",
  ];

  it.each(addresses)("such as %s is never called, and the reply comes as a direct message", async (response_url) => {
    const messageAfter = (act: () => Promise<void>) => messagesAfter(curfew(), "alice", act, "dm");
    // An answer that comes later than the acknowledgement.
    clock.advance(61_000);
    curfew().workspace.faults.failNext("users.info", { delayMs: 1300 });
    await messageAfter(() => typeLine({ response_url }));
    await messageAfter(() => pressOn({ action_id: "run:whoami:x", value: "{}" }, { response_url }));
    if (URL.canParse(response_url))
      await messageAfter(() => sendForm({ private_metadata: meta({ responseUrl: response_url }) }));
    expect(fetched).toEqual([]);
    expect(curfew().logged.some((entry) => entry.includes(response_url))).toBe(false);
  });
});

it("typeahead looks up nothing for people who may not use the form", async () => {
  const found = async (id: string) => {
    await sendCrafted(curfew(), suggestion, { user: { id } });
    return lastDelivery(curfew(), "block_suggestion").answer;
  };
  const none = { kind: "acknowledged", body: { kind: "json", value: { options: [] } } };
  expect(await found("U01ALICE")).not.toEqual(none);
  for (const id of ["U05GINA", "U06ERIN", "U04DAVE", "U0NOBODY"]) expect(await found(id)).toEqual(none);
});

function anExclusion() {
  return {
    resourceIds: ["i-0c1"],
    another: true,
    type: "amazon-ec2-instance",
    project: "p-dev",
    process: "stop",
    until: until() * 1000,
  };
}

function strings(payload: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, String(value)]));
}
