import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawBlocks } from "../../src/sandbox/page/draw/draw-block.ts";
import type { DrawContext } from "../../src/sandbox/page/draw/draw-context.ts";
import { drawMrkdwn } from "../../src/sandbox/page/draw/draw-mrkdwn.ts";
import type { Inline, Rich } from "../../src/sandbox/page/wire.ts";
import { literal } from "../../src/slack/messages/message.ts";
import { hostileText } from "../slack/hostile-text.ts";

const viewer = { nameOf: (id: string) => `name of ${id}`, zone: "Europe/Berlin", now: 1_795_176_000_000 };
const context: DrawContext = { viewer, authorOf: viewer.nameOf, state: {}, errors: {}, people: [], channels: [] };

const partsOf = (rich: Rich): readonly Inline[] =>
  rich.flatMap((paragraph) => (paragraph.kind === "list" ? paragraph.items.flat() : paragraph.parts));
const inlines = (text: string) => partsOf(drawMrkdwn(text, viewer));
const textOf = (rich: Rich): string =>
  partsOf(rich)
    .map(({ text }) => text)
    .join("");

describe("mrkdwn", () => {
  test("puts formatting on every part, also when nested", () => {
    expect(inlines("plain *bold _both_* ~gone~ `code`")).toEqual([
      { kind: "text", text: "plain ", styles: [] },
      { kind: "text", text: "bold ", styles: ["bold"] },
      { kind: "text", text: "both", styles: ["bold", "italic"] },
      { kind: "text", text: " ", styles: [] },
      { kind: "text", text: "gone", styles: ["strike"] },
      { kind: "text", text: " ", styles: [] },
      { kind: "text", text: "code", styles: ["code"] },
    ]);
  });

  test("leaves ids and names with formatting characters unchanged", () => {
    for (const text of ["i-0a1_b_c", "a*b*c", "snake_case_name", "10:20:30", "2 * 3 * 4"]) {
      expect(textOf(drawMrkdwn(text, viewer))).toBe(text);
      expect(inlines(text).every(({ styles }) => styles.length === 0)).toBe(true);
    }
  });

  test("turns tags into mentions, dates in the viewer's zone, links and emoji", () => {
    expect(inlines("<@U1> <#C1|ops> <!subteam^S1> <!here>").filter(({ kind }) => kind === "mention")).toMatchObject([
      { text: "@name of U1" },
      { text: "#name of C1" },
      { text: "@name of S1" },
      { text: "@here" },
    ]);
    expect(inlines("<!date^1795176000^{date_short_pretty}, {time}|never>")).toMatchObject([
      { kind: "date", text: "today, 1:00 PM" },
    ]);
    expect(inlines("<https://x.example/?a=1&amp;b=2|here &lt;&gt;>")).toMatchObject([
      { kind: "link", text: "here <>", url: "https://x.example/?a=1&b=2" },
    ]);
    expect(inlines(":x: :no_such_thing:")).toMatchObject([
      { kind: "emoji", text: "❌", name: "x" },
      { kind: "text", text: " " },
      { kind: "text", text: ":no_such_thing:" },
    ]);
  });

  test("separates quotes and code blocks", () => {
    const kinds = (text: string) => drawMrkdwn(text, viewer).map(({ kind }) => kind);
    expect(kinds("&gt; one\n&gt; two\nafter")).toEqual(["quote", "lines"]);
    expect(kinds("```*not bold*```")).toEqual(["preformatted"]);
    expect(textOf(drawMrkdwn("```*not bold* &lt;```", viewer))).toBe("*not bold* <");
  });

  test("links only to web, mail and telephone addresses", () => {
    for (const url of [
      "javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "//evil.example",
      "vbscript:x",
    ]) {
      expect(inlines(`<${url}|click>`).filter((part) => part.url !== undefined)).toEqual([]);
    }
  });

  test("draws any input, and escaped text as plain text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const allowed = inlines(text).flatMap(({ url }) => url ?? []);
        expect(allowed.filter((url) => !/^(?:https?:\/\/|mailto:|tel:)/.test(url))).toEqual([]);
        const escaped = inlines(literal(text));
        expect(escaped.filter(({ kind }) => kind !== "text" && kind !== "emoji")).toEqual([]);
      }),
    );
  });
});

describe("blocks", () => {
  const draw = (block: Record<string, unknown>) => drawBlocks([block], context)[0];

  test("plain text is not formatted", () => {
    const block = { type: "section", text: { type: "plain_text", text: "*no* <@U1> :x:" } };
    expect(draw(block)).toMatchObject({
      text: [{ kind: "lines", parts: [{ kind: "text", text: "*no* <@U1> ❌", styles: [] }] }],
    });
  });

  test("rich text has its styles, lists, quotes, mentions and dates", () => {
    const section = (elements: unknown) => ({ type: "rich_text_section", elements });
    const block = {
      type: "rich_text",
      elements: [
        section([
          { type: "text", text: "a", style: { bold: true, strike: true } },
          { type: "user", user_id: "U1" },
          { type: "link", url: "javascript:alert(1)", text: "no" },
          { type: "link", url: "https://x.example" },
          { type: "date", timestamp: 1_795_176_000, format: "{time}", fallback: "?" },
        ]),
        {
          type: "rich_text_list",
          style: "ordered",
          indent: 1,
          offset: 2,
          elements: [section([{ type: "text", text: "i" }])],
        },
        { type: "rich_text_quote", elements: [{ type: "emoji", name: "x" }] },
      ],
    };
    expect(draw(block)).toMatchObject({
      kind: "rich",
      text: [
        {
          kind: "lines",
          parts: [
            { text: "a", styles: ["bold", "strike"] },
            { kind: "mention", text: "@name of U1" },
            { kind: "text", text: "no" },
            { kind: "link", text: "https://x.example", url: "https://x.example" },
            { kind: "date", text: "1:00 PM" },
          ],
        },
        { kind: "list", isOrdered: true, indent: 1, start: 3, items: [[{ text: "i" }]] },
        { kind: "quote", parts: [{ kind: "emoji", text: "❌" }] },
      ],
    });
  });

  test("buttons, menus and images link only to the web", () => {
    const element = (more: object) => ({
      type: "actions",
      elements: [{ type: "button", action_id: "a", text: { type: "plain_text", text: "Go" }, ...more }],
    });
    expect(JSON.stringify(draw(element({ url: "https://x.example" })))).toContain("https://x.example");
    expect(JSON.stringify(draw(element({ url: "javascript:alert(1)" })))).not.toContain("javascript");
    const image = { type: "image", alt_text: "a cat", image_url: "javascript:alert(1)" };
    expect(draw(image)).toEqual({ id: "block-0", kind: "image", image: { kind: "image", alt: "a cat", title: "" } });
  });

  test("an unsupported block is marked as unknown", () => {
    expect(draw({ type: "hologram" })).toMatchObject({ kind: "unknown", type: "hologram" });
  });
});
