import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { email } from "../../src/commands/field.ts";
import { validateView } from "../../src/sandbox/workspace/blocks.ts";
import { plainText } from "../../src/slack/fields/field-kind.ts";
import { drawInput, problemsOf, sendUntouched, startOf } from "../slack/fields/draw.ts";
import { hostileText } from "../slack/hostile-text.ts";
import { changesSentTo, openFormFromReply, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const address = email({ label: "New e-mail address" });
const noAddresses = [
  "bob",
  "at-home",
  "",
  " ",
  "bob@",
  "@example.com",
  "a@b",
  "a b@example.com",
  "<a@b.co>",
  "a@b.co,",
];
const pointer = "[json-pointer:/view/blocks/0/element/initial_value]";

function problemsWith(initial_value: string): readonly string[] {
  const element = { type: "email_text_input", action_id: "input", initial_value };
  const blocks = [{ type: "input", block_id: "field", label: plainText("Label"), element }];
  return validateView({ type: "modal", title: plainText("Form"), submit: plainText("Send"), blocks });
}

describe("the strict workspace", () => {
  it.each(noAddresses)("refuses a form whose e-mail input starts with “%s”", (text) => {
    const [problem = ""] = problemsWith(text);
    expect(problem).toContain(pointer.slice(pointer.indexOf("/blocks"), -1));
  });

  it.each(["bob@example.com", "bob.o'neil+tag@mail.example.co.uk"])(
    "accepts an e-mail input that starts with %s",
    (text) => {
      expect(problemsWith(text)).toEqual([]);
    },
  );
});

describe("Curfew's e-mail input", () => {
  it("is valid for Slack with any known or typed value", async () => {
    const text = fc.oneof(hostileText, fc.emailAddress(), fc.constantFrom(...noAddresses));
    const shown = fc.record({ value: fc.option(text, { nil: undefined }), typed: fc.option(text, { nil: undefined }) });
    await fc.assert(
      fc.asyncProperty(shown, async (each) => {
        expect(await problemsOf(address, each)).toEqual([]);
      }),
    );
  });

  it("keeps an invalid address to be corrected, in an input that Slack accepts, and takes it for none", async () => {
    for (const typed of ["at-home", "a@b", "x".repeat(3000)]) {
      expect((await drawInput(address, { typed })).element.type).toBe("plain_text_input");
      expect(await startOf(address, { typed })).toEqual({ initial_value: typed });
      expect(await sendUntouched(address, { typed })).toMatchObject({ kind: "problem" });
    }
  });

  it("starts with a valid address from any source", async () => {
    for (const shown of [{ value: "bob@example.com" }, { typed: "bob@example.com" }])
      expect(await startOf(address, shown)).toEqual({ initial_value: "bob@example.com" });
  });
});

describe("a line with an invalid address", () => {
  const { curfew } = oneBot();

  it.each(["at-home", "bob@", "a@b", "b@@example.com"])(
    "shows “%s” and offers a form that keeps it, to be corrected and sent",
    async (text) => {
      const sent = changesSentTo(curfew());
      const {
        reply,
        values,
        text: form,
      } = await openFormFromReply(curfew(), "bob", `user email dave --address ${text}`);
      expect(values["New e-mail address"]).toEqual({ type: "plain_text_input", value: text });
      expect(form).toContain(`“${text}” is not an e-mail address.`);
      expect(reply.text).toContain(`“${text}” is not an e-mail address. Nothing was changed.`);
      expect(sent()).toEqual([]);
      await send(curfew(), "bob", { "New e-mail address": `dave${text.length}@example.com` });
      expect(sent()).toEqual(["ModifyUser"]);
    },
  );
});
