import { describe, expect, it, onTestFinished } from "vitest";
import { readEnvironment } from "../../src/config/environment.ts";
import { createMetricsAccess } from "../../src/observability/health.ts";
import { type CurfewOptions, startCurfew } from "../support/start-curfew.ts";

const token = "a-token-of-16-and-more";

async function started(options: CurfewOptions) {
  const curfew = await startCurfew(options);
  onTestFinished(() => curfew.stop());
  return curfew;
}

const read = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${url}/metrics`, { headers });
  return { status: answer.status, text: await answer.text() };
};

describe.each(["http", "socket"] as const)("over %s", (mode) => {
  it("metrics are visible to this machine, but not through a proxy on it", async () => {
    const { url } = await started({ mode });
    expect(await read(url)).toMatchObject({ status: 200, text: expect.stringContaining("curfew_build_info") });
    for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via"]) {
      const { status, text } = await read(url, { [header]: "for=203.0.113.9" });
      expect([header, status]).toEqual([header, 403]);
      expect(text).not.toContain("curfew_");
    }
  });

  it("metrics need the token when one is set, also on this machine", async () => {
    const { url } = await started({ mode, metricsToken: token });
    for (const authorization of ["", "Bearer", `Bearer ${token}x`, `Basic ${token}`, `Bearer ${token.slice(1)}`]) {
      const { status, text } = await read(url, authorization ? { authorization } : {});
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(text).not.toContain("curfew_");
    }
    expect(await read(url, { authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
  });

  it("metrics are only on their own port when one is set, with nothing else", async () => {
    const { url, metricsUrl = "" } = await started({ mode, metricsPort: 0 });
    expect(await read(url)).toMatchObject({ status: 404 });
    expect(await read(metricsUrl)).toMatchObject({
      status: 200,
      text: expect.stringContaining("curfew_commands_total"),
    });
    for (const path of ["/healthz", "/readyz", "/slack/events"])
      expect((await fetch(`${metricsUrl}${path}`)).status).toBe(404);
  });

  it("metrics need the token on their own port too", async () => {
    const { metricsUrl = "" } = await started({ mode, metricsPort: 0, metricsToken: token });
    expect(await read(metricsUrl)).toMatchObject({ status: 401 });
    expect(await read(metricsUrl, { authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
  });
});

describe("metrics without a token and a port", () => {
  const mayRead = createMetricsAccess({ port: undefined, token: undefined });
  const from = (remoteAddress: string | undefined) => mayRead({ socket: { remoteAddress }, headers: {} });

  it.each(["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])("are visible to %s", (address) => {
    expect(from(address)).toBeUndefined();
  });

  it.each(["203.0.113.9", "10.0.0.1", "::ffff:10.0.0.1", "1127.0.0.1", "::2", "fe80::1", undefined])(
    "are not visible to %s",
    (address) => {
      expect(from(address)).toMatchObject({ status: 403 });
    },
  );
});

describe("METRICS_TOKEN and METRICS_PORT", () => {
  const env = {
    SLACK_BOT_TOKEN: "xoxb-1",
    SLACK_SIGNING_SECRET: "secret",
    SCHEDULER_BASE_URL: "https://scheduler.example.com",
    SCHEDULER_API_KEY: "key",
  };

  it("are read, and the token stays out of the log", () => {
    const read = readEnvironment({ ...env, METRICS_TOKEN: token, METRICS_PORT: "9464" }, String);
    expect(read).toMatchObject({ metrics: { port: 9464, token }, secrets: expect.arrayContaining([token]) });
  });

  it("are rejected when they protect nothing", () => {
    expect(readEnvironment({ ...env, METRICS_TOKEN: "short", METRICS_PORT: "70000" }, String)).toEqual({
      kind: "problems",
      problems: [
        "METRICS_PORT must be a number from 0 to 65535",
        "METRICS_TOKEN must be one word of at least 16 characters, or two of them",
      ],
    });
  });
});
