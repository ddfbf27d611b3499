import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mrkdwnToText, parseMrkdwn } from "../../../../src/sandbox/workspace/mrkdwn.ts";
import { liveMentions } from "../../../support/read-mrkdwn.ts";

const viewer = { nameOf: (id: string) => id.toLowerCase(), zone: "Europe/Berlin" };
const toText = (text: string) => mrkdwnToText(text, viewer);
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

describe("mrkdwn", () => {
  test.each([
    ["a &lt;b&gt; &amp; c", { kind: "text", text: "a <b> & c" }],
    ["<@U123>", { kind: "user", id: "U123" }],
    ["<@W123|ann>", { kind: "user", id: "W123" }],
    ["<#C123>", { kind: "channel", id: "C123" }],
    ["<#C123|general>", { kind: "channel", id: "C123" }],
    ["<!subteam^S123>", { kind: "usergroup", id: "S123" }],
    ["<!subteam^S123|@ops>", { kind: "usergroup", id: "S123" }],
    ["<!here>", { kind: "special", range: "here" }],
    ["<!channel|channel>", { kind: "special", range: "channel" }],
    ["<!everyone>", { kind: "special", range: "everyone" }],
    ["<https://a.example/?x=1&amp;y=2>", { kind: "link", url: "https://a.example/?x=1&y=2" }],
    ["<https://a.example|A &amp; B>", { kind: "link", url: "https://a.example", label: "A & B" }],
    ["<mailto:a@b.co|Mail>", { kind: "link", url: "mailto:a@b.co", label: "Mail" }],
    ["<!date^1392734382^{date}|then>", { kind: "date", seconds: 1_392_734_382, format: "{date}", fallback: "then" }],
    [
      "<!date^1392734382^at {time}^https://a.example/|then>",
      { kind: "date", seconds: 1_392_734_382, format: "at {time}", fallback: "then", url: "https://a.example/" },
    ],
    ["<!date^soon^{date}|some day>", { kind: "text", text: "some day" }],
    ["<!date^1392734382^{date}>", { kind: "text", text: "<!date^1392734382^{date}>" }],
    ["<@ann>", { kind: "text", text: "<@ann>" }],
    ["<javascript:alert(1)|x>", { kind: "text", text: "<javascript:alert(1)|x>" }],
    ["<>", { kind: "text", text: "<>" }],
    ["<@U123", { kind: "text", text: "<@U123" }],
  ])("parses %s", (text, segment) => {
    expect(parseMrkdwn(text)).toEqual([segment]);
  });

  test("keeps the order of its segments", () => {
    expect(parseMrkdwn("Hi <@U1>, see <#C1>!").map(({ kind }) => kind)).toEqual([
      "text",
      "user",
      "text",
      "channel",
      "text",
    ]);
  });

  test("decodes entities only once", () => {
    expect(toText("&amp;lt;!channel&amp;gt; &amp;amp;")).toBe("&lt;!channel&gt; &amp;");
  });

  test("shows names, and links with their target", () => {
    expect(toText("<@U1> in <#C1> told <!subteam^S1> and <!here>: <https://a.example|docs> <https://b.example>")).toBe(
      "@u1 in #c1 told @s1 and @here: docs (https://a.example) https://b.example",
    );
  });

  test("contains no terminal control characters", () => {
    expect(toText("a\u001b[31mred\u0007\u009b2J\tb\r\nc\u0000\u007f")).toBe("a[31mred2J b\nc");
    expect(mrkdwnToText("<@U1>", { ...viewer, nameOf: () => "ev\u001b[2Jil" })).toBe("@ev[2Jil");
    expect(toText("<!date^x^{date}|\u001b]0;title\u0007>")).toBe("]0;title");
  });

  test("never contains a control character, for any input", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("<", ">", "&lt;", "!date^1^", "{date}", "|", "@U1", "\u001b", "\u009b", "\r", "x"),
    });
    fc.assert(fc.property(hostile, (text) => !/[^\P{Cc}\n]/u.test(toText(text))));
  });
});

describe("live mentions", () => {
  test("are the tags that notify or link, unchanged", () => {
    const text =
      "<@U1> <#C1|x> <!subteam^S1> <!here> <!channel> <!everyone|e> <https://a.example|@x> <!date^1^{date}|d> @ann #ops";
    expect(liveMentions(text)).toEqual(["<@U1>", "<#C1|x>", "<!subteam^S1>", "<!here>", "<!channel>", "<!everyone|e>"]);
  });

  test.each([
    "<!channel>",
    "<https://a.example|<!channel>>",
    "<!date^1^{date}|<!channel>>",
    "`<!channel>`",
    "<<!channel>",
    "&lt;<!channel>&gt;",
  ])("are found in %s", (text) => {
    expect(liveMentions(text)).toEqual(["<!channel>"]);
  });

  test.each([
    "&lt;!channel&gt;",
    "&amp;lt;!channel&amp;gt;",
    "<!channel",
    "!channel>",
    "< !channel>",
    "<!Channel>",
    "@channel",
  ])("are not found in %s", (text) => {
    expect(liveMentions(text)).toEqual([]);
  });

  test("never come from escaped text", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("<", ">", "!channel", "@U1", "#C1", "!subteam^S1", "|", "&", "lt;", " "),
    });
    fc.assert(fc.property(hostile, (text) => liveMentions(escaped(text)).length === 0));
    fc.assert(fc.property(hostile, (text) => toText(escaped(text)) === text));
  });
});
