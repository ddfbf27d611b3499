import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sign } from "../../src/sandbox/workspace/deliveries.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

describe("a request without a valid Slack signature", () => {
  let curfew: Curfew;
  beforeAll(async () => {
    curfew = await startCurfew();
  });
  afterAll(async () => {
    await curfew.stop();
  });

  const body = new URLSearchParams({
    command: "/curfew",
    text: "project rename p-prod Hacked",
    user_id: "U03CAROL",
    channel_id: "C0OPS",
    trigger_id: "1.2.3",
  }).toString();
  const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);
  const post = (timestamp: string | undefined, signature: string | undefined, sent = body) =>
    fetch(`${curfew.url}/slack/events`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(timestamp === undefined ? {} : { "x-slack-request-timestamp": timestamp }),
        ...(signature === undefined ? {} : { "x-slack-signature": signature }),
      },
      body: sent,
    });
  const signed = (timestamp: string) => sign(curfew.workspace.signingSecret, timestamp, body);

  it("is accepted once signed, so the refusals below are about the signature", async () => {
    const now = secondsAgo(0);
    expect((await post(now, signed(now))).status).toBe(200);
    await curfew.workspace.waitFor(() => curfew.service.account.projects.get("p-prod")?.name === "Hacked");
  });

  it.each([
    ["another secret's signature", () => post(secondsAgo(0), sign("not the secret", secondsAgo(0), body))],
    ["no signature", () => post(secondsAgo(0), undefined)],
    ["no timestamp", () => post(undefined, signed(secondsAgo(0)))],
    ["a signature six minutes old", () => post(secondsAgo(360), signed(secondsAgo(360)))],
    ["another body's signature", () => post(secondsAgo(0), signed(secondsAgo(0)), body.replace("Hacked", "Worse"))],
  ])("is answered 401 and logged: %s", async (_what, send) => {
    const [logged, requests] = [curfew.logged.length, curfew.service.requests.length];
    expect((await send()).status).toBe(401);
    expect(curfew.logged.slice(logged).some((line) => /signature|timestamp|verif/i.test(line))).toBe(true);
    expect(curfew.logged.join("")).not.toContain(curfew.workspace.signingSecret);
    expect(curfew.service.requests).toHaveLength(requests);
  });
});
