import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cpuMsOf, growth } from "../support/cpu-time.ts";
import { ask, changesSentTo } from "../support/journey.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";
import { formType, post, signedHeaders } from "../support/wire.ts";

let curfew: Curfew;
beforeAll(async () => {
  curfew = await startCurfew();
});
afterAll(async () => {
  await curfew.stop();
});
const health = async () => (await fetch(`${curfew.url}/healthz`)).status;

describe.concurrent("a request that is too slow", () => {
  /** Sends a piece at intervals until the other side hangs up. If it never does, the test fails by its timeout. */
  const dribble = async (url: string, start: string, piece: string) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 200);
    socket.resume();
    // Whether it is closed or reset.
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(timer);
  };
  const head = `POST /slack/events HTTP/1.1\r\nhost: curfew\r\ncontent-type: ${formType}\r\n`;

  it.each([
    ["its body", `${head}content-length: 100000\r\n\r\n`, "x"],
    ["a body without an end", `${head}transfer-encoding: chunked\r\n\r\n`, "1\r\nx\r\n"],
    ["its headers", `${head}x-slow: `, "x"],
  ])("is cut off in seconds and delays nobody: %s", async (_what, start, piece) => {
    const cut = Promise.all(Array.from({ length: 20 }, () => dribble(curfew.url, start, piece)));
    expect((await ask(curfew, "carol", "exclude staging for 1h --another")).text).toContain("Keeping ");
    await cut;
  });

  it("does not keep Curfew from stopping", async () => {
    const other = await startCurfew();
    const cut = dribble(other.url, `${head}content-length: 100000\r\n\r\n`, "x");
    expect((await ask(other, "carol", "whoami")).text).toContain("carol");
    await other.stop();
    await cut;
  });
});

describe("an oversized or malformed request", () => {
  const bodyOf = (fields: Readonly<Record<string, string>>) => {
    const line = { command: "/curfew", user_id: "U03CAROL", channel_id: "C0OPS", trigger_id: "1.2.3" };
    return new URLSearchParams({ ...line, ...fields }).toString();
  };
  const signed = (body: string, type?: string) => post(curfew, body, signedHeaders(curfew, body, type));

  it("is refused when it is larger than anything Slack sends, signed or not", async () => {
    const sent = changesSentTo(curfew);
    const body = bodyOf({ text: `exclude staging for 1h --reason ${"x".repeat(2_100_000)}` });
    expect((await signed(body)).status).toBe(413);
    expect((await post(curfew, body, { "content-type": formType })).status).toBe(413);
    expect(sent()).toEqual([]);
    expect(await health()).toBe(200);
  });

  it.each([
    ["one word", "", "x", 500_000],
    ["many words", "", "exclude ", 496_000],
    ["quotes", "", '"', 170_000],
    ["blanks", "x", " ", 500_000],
    ["ids", "exclude ", "i-0a1,", 360_000],
    ["markup", "", "<@U1|", 225_000],
    ["flags", "", "--a ", 500_000],
    ["a time", "exclude staging until ", "1 ", 500_000],
  ])("takes linear time when its line is very long, of %s", async (what, start, piece, most) => {
    const sent = changesSentTo(curfew);
    let number = 0;
    const take = (length: number) => async () => {
      const text = `${start}${piece.repeat(length / piece.length)}${piece === " " ? "x" : ""}`;
      const body = bodyOf({ text, trigger_id: `1.${length}.${what}${number++}` });
      expect((await signed(body)).status).toBe(200);
      await curfew.app.idle();
    };
    const short = await cpuMsOf(take(most / 10), 5);
    expect(growth(short, await cpuMsOf(take(most), 5))).toBeLessThan(40);
    expect(sent()).toEqual([]);
  });

  it.concurrent.each([
    ["null", "application/json", 400],
    ["payload=null", formType, 400],
    ["payload=", formType, 400],
    ["payload={", formType, 400],
    ["", "application/json", 400],
    ["[[[[", "application/json", 400],
    ["a=b", "text/plain", 400],
    ["{}", `${formType}; charset=utf-8`, 404],
    ["5", "application/json", 400],
    ["{}", "application/json", 404],
    ['{"event":null}', "application/json", 404],
    ['{"event":"x"}', "application/json", 500],
    ['{"type":"block_actions","actions":null}', "application/json", 404],
  ])("is answered and does no harm with %s as %s", async (body, type, status) => {
    expect((await signed(body, type)).status).toBe(status);
    expect(await health()).toBe(200);
  });
});
