import { describe, expect, it } from "vitest";
import { addressedLine } from "../../src/slack/listeners/mention/listen-to-messages.ts";
import { titled } from "../support/brief.ts";

const to = { botUserId: "UCURFEW", slashCommand: "/curfew" };
const line = (text: string, isDirect = false, isReply = false) => {
  const addressed = addressedLine(text, { isDirect, isReply }, to);
  return addressed?.kind === "unclear" ? addressed.problem : addressed?.text;
};

describe("the line in a message", () => {
  it.each([
    ["<@UCURFEW> end staging", "end staging"],
    ["<@UCURFEW>end staging", "end staging"],
    ["<@UCURFEW|curfew>: end staging", "end staging"],
    ["Hey <@UCURFEW>, end staging", "end staging"],
    ["*<@UCURFEW>* end staging", "end staging"],
    ["<@UCURFEW> <@UCURFEW> end staging", "end staging"],
    ["<@UCURFEW>\nend staging\nthank you!", "end staging"],
    ["<@UCURFEW> /curfew end staging", "end staging"],
    ["<@UCURFEW> /curfewed", "/curfewed"],
    ["<@UCURFEW>", ""],
    ["good morning <@UCURFEW>!", ""],
    ["<@UCURFEW> ?", ""],
  ])("comes right after the mention: %s", (text, expected) => {
    expect(line(text)).toBe(expected);
  });

  it.each([
    ["<@UCURFEW> end `staging`", "end staging"],
    ["<@UCURFEW> ```end staging```", "end staging"],
    ["<@UCURFEW> *end _staging_*, please", "end staging, please"],
    ["<@UCURFEW> • end ~staging~", "end staging"],
    ["<@UCURFEW> &gt; end staging", "end staging"],
    ["<@UCURFEW> end <http://a.internal|a.internal>", "end a.internal"],
    [
      "<@UCURFEW> end <https://x.example/a|x> &amp; <mailto:a@b.c|a@b.c>",
      "end <https://x.example/a|x> &amp; <mailto:a@b.c|a@b.c>",
    ],
    ["<@UCURFEW> end my_own_group at 2 * 3", "end my_own_group at 2 * 3"],
    ["<@UCURFEW> disable <@U02BOB>", "disable <@U02BOB>"],
    ["<@UCURFEW> keep “my group” up", "keep “my group” up"],
  ])("is read without the marks of Slack's editor: %s", (text, expected) => {
    expect(line(text)).toBe(expected);
  });

  it.each(["end staging", "<@UCURFEW> end staging", "`end staging`"])(
    "needs no mention in a direct message: %s",
    (text) => {
      expect(line(text, true)).toBe("end staging");
    },
  );

  it.each(["ask <@UCURFEW> to end staging", "<@U02BOB> <@UCURFEW> end staging"])(
    "is not looked for elsewhere: %s",
    (text) => expect(line(text)).toContain("begins with @Curfew"),
  );

  it.each(
    titled([
      ["<@UCURFEWS> end staging", false],
      ["end staging", false],
      ["end staging", true],
      ["ask <@UCURFEW> to end staging", true],
      ["x".repeat(10_000), true],
    ]),
  )("is not there in what is not said to Curfew: %s", (_title, text, isReply) => {
    expect(line(text, false, isReply)).toBeUndefined();
  });

  it("is one line", () => {
    expect(line("<@UCURFEW> end staging\nend build")).toContain("has several lines");
    expect(line("- end staging\n- end build", true)).toContain("has several lines");
  });
});
