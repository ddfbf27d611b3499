import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import type { Fields, Input, ReferenceKind } from "../../src/commands/field.ts";
import type { SandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { isViewTooLarge, validateView } from "../../src/sandbox/workspace/blocks.ts";
import { isJsonObject, objectsIn } from "../../src/sandbox/workspace/json-object.ts";
import { formFor, noticeView } from "../../src/slack/forms/form.ts";
import { metaFor, readMeta } from "../../src/slack/forms/form-meta.ts";
import { literal } from "../../src/slack/messages/text.ts";
import { anyInput } from "../commands/any-input.ts";
import { liveMentions } from "../support/read-mrkdwn.ts";
import { hostileText, mrkdwnIn } from "./hostile-text.ts";
import { startListening } from "./start-listening.ts";

const origin = { userId: "U03CAROL", channelId: "C0OPS", responseUrl: `https://hooks.slack.com/${"x".repeat(200)}` };

/** Entities that exist, so that an edit form is filled from one. */
const present: Readonly<Record<ReferenceKind, string>> = {
  action: "a-00000001",
  credential: "cred-00000001",
  exclusion: "ae-1",
  plan: "plan-00000001",
  policy: "mp-00000001",
  project: "p-dev",
  selector: "sel-00000001",
  user: "u-1",
};

function aboutPresent(fields: Fields, input: Input): Input {
  const named = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "reference" && field.positional ? [[name, present[field.to]]] : [],
  );
  return { ...input, ...Object.fromEntries(named) };
}

/** Gives every entity of the account a hostile name. */
function giveHostileNames({ account }: SandboxService): void {
  const names = fc.sample(hostileText, { numRuns: 200, seed: 1 });
  for (const part of Object.values(account)) {
    if (!(part instanceof Map)) continue;
    for (const thing of part.values()) {
      if (isJsonObject(thing)) Object.assign(thing, { name: names.pop() ?? "<!here>" });
    }
  }
}

describe.each(catalogue.map((command) => [command.words, command] as const))("the form of %s", (_words, command) => {
  test("is valid and has every field, with any values", async () => {
    const { ports, service } = await startListening();
    giveHostileNames(service);
    const context = await ports.contextOf(origin);
    const meta = metaFor(command, origin);
    const names = Object.keys(command.fields);
    const texts = fc.dictionary(fc.constantFrom(...names, "none"), hostileText, { maxKeys: 3 });
    const filled = fc.tuple(anyInput(command.fields, { partial: true }), fc.boolean(), texts, texts);
    await fc.assert(
      fc.asyncProperty(filled, async ([given, isAboutPresent, problems, typed]) => {
        const input = isAboutPresent ? aboutPresent(command.fields, given) : given;
        const view = await formFor(command, { input, problems, typed }, meta, context);
        expect(validateView(view)).toEqual([]);
        expect(isViewTooLarge(view)).toBe(false);
        for (const { text, verbatim } of mrkdwnIn(view)) {
          expect(liveMentions(text)).toEqual([]);
          expect(verbatim).toBe(true);
        }
        if (view.callback_id === undefined) return;
        expect(readMeta(view.private_metadata ?? "")).toMatchObject(meta);
        const inputs = objectsIn(view.blocks).filter(({ type }) => type === "input");
        expect(names).toEqual(expect.arrayContaining(inputs.map(({ block_id }) => String(block_id).split("/").at(-1))));
      }),
      { numRuns: 25 },
    );
  });

  test("asks for every required field when it opens empty", async () => {
    const { ports } = await startListening();
    const context = await ports.contextOf(origin);
    const view = await formFor(command, { input: {}, problems: {}, typed: {} }, metaFor(command, origin), context);
    const required = objectsIn(view.blocks).flatMap(({ type, block_id, optional }) =>
      type === "input" && optional === false ? [String(block_id).split("/").at(-1)] : [],
    );
    // A folded field has a usual value.
    const fields = Object.entries(command.fields).filter(
      ([, field]) => !field.optional && !field.derivedFrom && !field.folded,
    );
    const isInSteps = command.kind === "change" && command.fill !== undefined;
    const possible = fields.filter(([, field]) => !isInSteps || field.positional);
    const certain = possible.filter(([, field]) => !field.when);
    expect(required).toEqual(expect.arrayContaining(certain.map(([name]) => name)));
    expect(possible.map(([name]) => name)).toEqual(expect.arrayContaining(required));
  });
});

test("a notice is valid with any text", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (title, text) => {
      expect(validateView(noticeView(title, literal(text)))).toEqual([]);
    }),
  );
});

test("reads form metadata only when it is complete", () => {
  expect(readMeta('{"words":"undo","channelId":null}')).toMatchObject({ words: "undo", channelId: null });
  for (const other of ["", "{", "null", '{"words":"undo"}', '{"words":"undo","channelId":null,"more":1}']) {
    expect(readMeta(other), other).toBeUndefined();
  }
});
