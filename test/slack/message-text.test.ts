import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageText } from "../../src/slack/listeners/handlers/handle-shortcut.ts";

describe("the text of a message", () => {
  test("has no Slack escapes; a link is its address and its label", () => {
    const text = "<https://x.example/i-0a1|the machine> &amp; &lt;i-0a2&gt; &amp;lt;";
    expect(messageText({ text })).toBe(" https://x.example/i-0a1 the machine  & <i-0a2> &lt;");
  });

  test("includes the text of blocks and attachments", () => {
    const message = {
      text: "",
      blocks: [
        { type: "section", text: { type: "mrkdwn", text: "one" }, fields: [{ type: "mrkdwn", text: "two" }] },
        {
          type: "rich_text",
          elements: [
            {
              type: "rich_text_section",
              elements: [
                { type: "text", text: "three" },
                { type: "link", url: "https://four" },
              ],
            },
          ],
        },
      ],
      attachments: [{ title: "five", fallback: "six", fields: [{ title: "Instance", value: "seven" }] }],
    };
    const words = ["one", "two", "three", "https://four", "five", "six", "Instance", "seven"];
    expect(messageText(message)?.split("\n")).toEqual(["", ...words]);
  });

  test("leaves out invisible parts, such as the value of a button", () => {
    const button = { type: "button", action_id: "i-0a1", value: "i-0a2", text: { type: "plain_text", text: "Go" } };
    expect(messageText({ ts: "1.1", user: "U1", blocks: [{ block_id: "i-0a3", elements: [button] }] })).toBe("Go");
  });

  test("is a string for any input", () => {
    fc.assert(
      fc.property(fc.anything(), (message) => {
        expect(typeof messageText(message)).toBe("string");
      }),
    );
  });
});
