import { expect, test } from "vitest";
import { callSlack } from "../sandbox/workspace/call-slack.ts";
import { describeInBrowser } from "../support/browser.ts";
import { eachOnItsOwn } from "./each-on-its-own.ts";
import { plain } from "./every-element.ts";
import { startRecordingPage } from "./start-page.ts";

const moment = 1_795_176_000;
const asMrkdwn = (text: string) => [{ type: "section", text: { type: "mrkdwn", text } }];

await describeInBrowser("the text of a message", (browser) => {
  const { sandbox, opened } = eachOnItsOwn(browser, startRecordingPage);

  /** What the page makes of these blocks, as HTML. */
  const shown = async (blocks: readonly object[], text = "x") => {
    const args = { channel: "C0OPS", text, blocks };
    expect(await callSlack(sandbox().app.workspace, "chat.postMessage", args)).toMatchObject({ ok: true });
    const { page } = opened();
    const count = sandbox().app.workspace.channel("ops").messages.length;
    await expect.poll(() => page.getByRole("article").count()).toBe(count);
    return page.getByRole("article").last().locator(".blocks").innerHTML();
  };
  const mrkdwn = (text: string) => shown(asMrkdwn(text));
  const section = (html: string) => `<div class="block-section"><div class="section-text">${html}</div></div>`;
  const line = (html: string) => section(`<p class="lines">${html}</p>`);

  test("has its formatting, also when nested, and leaves ids and names unchanged", async () => {
    expect(await mrkdwn("plain *bold _both_* ~gone~ `code`")).toBe(
      line("plain <strong>bold <em>both</em></strong> <s>gone</s> <code>code</code>"),
    );
    for (const text of ["i-0a1_b_c", "a*b*c", "snake_case_name", "10:20:30", "2 * 3 * 4"])
      expect(await mrkdwn(text)).toBe(line(text));
    expect(await mrkdwn("&gt; one\n&gt; two\nafter")).toMatch(
      /<blockquote>\s*one\s*two<\/blockquote><p class="lines">after/,
    );
    expect(await mrkdwn("```*not bold* &lt;```")).toBe(section("<pre>*not bold* &lt;</pre>"));
    expect(await shown([{ type: "section", text: plain("*no* <@U01ALICE> :x:") }])).toBe(
      line("*no* &lt;@U01ALICE&gt; ❌"),
    );
    expect(await shown([], "*only* text")).toBe('<p class="lines"><strong>only</strong> text</p>');
  });

  test("has names, dates in the viewer's zone, links and emoji for its tags", async () => {
    const mention = (name: string) => `<span class="mention">${name}</span>`;
    expect(await mrkdwn("<@U01ALICE> <#C0OPS|ops> <!subteam^S0ENGINEERS> <!here>")).toBe(
      line(["@alice", "#ops", "@engineers", "@here"].map(mention).join(" ")),
    );
    expect(await mrkdwn(`<!date^${moment}^{date_num}, {time}|never>`)).toBe(
      line('<span class="date">2026-11-20, 1:00 PM</span>'),
    );
    const link = (url: string, text: string) =>
      `<a href="${url}" target="_blank" rel="noopener noreferrer">${text}</a>`;
    expect(await mrkdwn("<https://x.example/?a=1&amp;b=2|here &lt;&gt;>")).toBe(
      line(link("https://x.example/?a=1&amp;b=2", "here &lt;&gt;")),
    );
    expect(await mrkdwn(":x: :no_such_thing:")).toBe(
      line('<span role="img" aria-label="x" title=":x:">❌</span> :no_such_thing:'),
    );
  });

  test("links only to web, mail and telephone addresses", async () => {
    const { page } = opened();
    const urls = ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//evil.example", "vbscript:x"];
    for (const url of urls) await mrkdwn(`<${url}|click>`);
    expect(await page.getByRole("article").locator("a").count()).toBe(0);
  });

  test("of a rich text block is shown exactly", async () => {
    const element = { type: "rich_text_preformatted", elements: [{ type: "text", text: "*x* = <@U01ALICE> :x:" }] };
    expect(await shown([{ type: "rich_text", elements: [element] }])).toBe(
      "<div><pre>*x* = &lt;@U01ALICE&gt; :x:</pre></div>",
    );
  });
});
