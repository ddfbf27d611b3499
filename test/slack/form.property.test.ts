import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/commands/catalogue.ts";
import type { Fields, Input, ReferenceKind } from "../../src/commands/field.ts";
import type { SandboxService } from "../../src/sandbox/service/start-sandbox-service.ts";
import { isJsonObject, objectsIn } from "../../src/sandbox/workspace/json-object.ts";
import { liveMentions } from "../../src/sandbox/workspace/render/mrkdwn.ts";
import { isViewTooLarge, validateView } from "../../src/sandbox/workspace/validate/validate-view.ts";
import { formFor, metaFor, noticeView, readMeta } from "../../src/slack/forms/form.ts";
import { contextFor } from "../../src/slack/listeners/desk.ts";
import { anyInput } from "../commands/any-input.ts";
import { hostileText, mrkdwnIn } from "./hostile-text.ts";
import { startDesk } from "./start-desk.ts";

const origin = { userId: "U03CAROL", channelId: "C0OPS", responseUrl: `https://hooks.slack.com/${"x".repeat(200)}` };

/** Things that there are, so that a form that edits one is filled from it. */
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

/** Gives everything of the account a hostile name. */
function spoil({ account }: SandboxService): void {
  const names = fc.sample(hostileText, { numRuns: 200, seed: 1 });
  for (const part of Object.values(account)) {
    if (!(part instanceof Map)) continue;
    for (const thing of part.values()) {
      if (isJsonObject(thing)) Object.assign(thing, { name: names.pop() ?? "<!here>" });
    }
  }
}

describe.each(catalogue.map((command) => [command.words, command] as const))("the form of %s", (_words, command) => {
  test("is one that Slack takes, with every field, whatever it is filled with", async () => {
    const { desk, service } = await startDesk();
    spoil(service);
    const context = await contextFor(desk, origin);
    const meta = metaFor(command, origin);
    const names = Object.keys(command.fields);
    const said = fc.dictionary(fc.constantFrom(...names, "none"), hostileText, { maxKeys: 3 });
    const filled = fc.tuple(anyInput(command.fields, { partial: true }), fc.boolean(), said, said);
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

  test("asks, when nothing is given, for all that is needed", async () => {
    const { desk } = await startDesk();
    const context = await contextFor(desk, origin);
    const view = await formFor(command, { input: {}, problems: {}, typed: {} }, metaFor(command, origin), context);
    const asked = objectsIn(view.blocks).flatMap(({ type, block_id, optional }) =>
      type === "input" && optional === false ? [String(block_id).split("/").at(-1)] : [],
    );
    const fields = Object.entries(command.fields).filter(([, field]) => !field.optional && !field.derivedFrom);
    const isInSteps = command.kind === "change" && command.fill !== undefined;
    const possible = fields.filter(([, field]) => !isInSteps || field.positional);
    const certain = possible.filter(([, field]) => !field.when);
    expect(asked).toEqual(expect.arrayContaining(certain.map(([name]) => name)));
    expect(possible.map(([name]) => name)).toEqual(expect.arrayContaining(asked));
  });
});

test("a notice is one that Slack takes, whatever it says", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (title, text) => {
      expect(validateView(noticeView(title, text))).toEqual([]);
    }),
  );
});

test("what a form carried is read only when it is whole", () => {
  expect(readMeta('{"words":"undo","channelId":null}')).toMatchObject({ words: "undo", channelId: null });
  for (const other of ["", "{", "null", '{"words":"undo"}', '{"words":"undo","channelId":null,"more":1}']) {
    expect(readMeta(other), other).toBeUndefined();
  }
});
