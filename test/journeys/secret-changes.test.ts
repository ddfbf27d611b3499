import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sign } from "../../src/sandbox/workspace/deliveries.ts";
import { startProcess } from "../hostile/real-process.ts";
import { textOf } from "../support/journey.ts";
import { makeFolder } from "../support/memory-folder.ts";
import { samplesIn } from "../support/prometheus-samples.ts";
import { startWithKeyFiles, type WithKeyFiles } from "../support/start-with-key-files.ts";

/** Sends what Slack does, signed with this secret. */
async function signedWith({ url }: WithKeyFiles, secret: string): Promise<number> {
  const body =
    "ssl_check=0&command=%2Fcurfew&text=help&user_id=U03CAROL&channel_id=C0OPS&team_id=T0CURFEW&trigger_id=1.2.3";
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = sign(secret, timestamp, body);
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": signature,
  };
  return (await fetch(`${url}/slack/events`, { method: "POST", body, headers })).status;
}

describe("a secret is changed while people and pipelines ask", () => {
  let bot: WithKeyFiles;
  beforeAll(async () => {
    bot = await startWithKeyFiles();
  });
  afterAll(() => bot.stop());
  const underLoad = (until: () => Promise<unknown>) => bot.underLoad([bot.callOnce, bot.askOnce], until);
  const isTaken = (name: string, times = 1) => expect.poll(() => bot.taken(name), { timeout: 10_000 }).toBe(times);
  const inAdmins = (text: string) =>
    bot.workspace.waitFor(() => bot.workspace.posted().find((message) => textOf(message).includes(text)), {
      what: text,
    });
  const refused = async () => {
    const text = await (
      await bot.metrics(readFileSync(bot.fileOf("METRICS_TOKEN"), "utf8").split(/\s/)[0] ?? "")
    ).text();
    const samples = samplesIn(text).filter(({ name, value }) => name === "curfew_secret_refused" && value === 1);
    return samples.map(({ labels }) => labels.variable);
  };

  /** The service's key: the new one is tried, and the old one is dropped afterwards. */
  const tried = async () => {
    const problems = await underLoad(async () => {
      bot.allow.service("sk_second");
      bot.change("SCHEDULER_API_KEY", "sk_second");
      await isTaken("SCHEDULER_API_KEY");
    });
    expect(problems).toEqual([]);
    bot.serviceGate.keys.delete(`AccessKey ${bot.service.apiKey}`);
    expect(await underLoad(bot.app.idle)).toEqual([]);
    expect(bot.serviceGate.refused).toEqual([]);
    expect(await bot.readiness()).toEqual({ status: 200, text: expect.stringMatching(/^ready\nconfig [^\n]+\n$/) });
  };
  /** The service's key, when the old one ends at that moment: what it refused is sent again. */
  const sentAgain = async () => {
    const problems = await underLoad(async () => {
      bot.allow.service("sk_third");
      bot.serviceGate.keys.delete("AccessKey sk_second");
      bot.change("SCHEDULER_API_KEY", "sk_third");
      await isTaken("SCHEDULER_API_KEY", 2);
    });
    expect(problems).toEqual([]);
    expect(bot.workspace.posted().map(textOf).join("\n")).not.toContain("SCHEDULER_API_KEY");
  };
  /** A new service key that does not work is not used, and operators read why. */
  const notUsed = async () => {
    const problems = await underLoad(async () => {
      bot.change("SCHEDULER_API_KEY", "sk_mistyped");
      await inAdmins("The file of SCHEDULER_API_KEY holds nothing that works, so the earlier one stays in use");
      expect(await bot.readiness()).toMatchObject({ status: 200, text: expect.stringContaining("InvalidAccessKey") });
      expect(await refused()).toEqual(["SCHEDULER_API_KEY_FILE"]);
    });
    expect(problems).toEqual([]);
    expect(bot.serviceGate.refused).toContain("AccessKey sk_mistyped");
    bot.change("SCHEDULER_API_KEY", "sk_third");
    await inAdmins("SCHEDULER_API_KEY_FILE works again");
    expect(await refused()).toEqual([]);
  };
  /** A file that cannot be read for a while changes nothing. */
  const unreadable = async () => {
    rmSync(bot.fileOf("SCHEDULER_API_KEY"));
    await inAdmins("SCHEDULER_API_KEY_FILE cannot be read");
    expect(await bot.callOnce()).toEqual([]);
    bot.change("SCHEDULER_API_KEY", "sk_third");
    await expect.poll(bot.readiness).toEqual({ status: 200, text: expect.stringMatching(/^ready\nconfig [^\n]+\n$/) });
  };
  /** A key that the service no longer takes shows everywhere, and Curfew goes on with the rest. */
  const refusedByService = async () => {
    bot.serviceGate.keys.delete("AccessKey sk_third");
    expect(await bot.callOnce()).toEqual([expect.stringContaining("nothing was changed")]);
    await inAdmins("The service refuses SCHEDULER_API_KEY, so nothing is changed there");
    expect(await bot.readiness()).toMatchObject({
      status: 200,
      text: expect.stringContaining("refuses SCHEDULER_API_KEY"),
    });
    expect(await refused()).toEqual(["SCHEDULER_API_KEY"]);
    expect((await bot.workspace.as("alice").type("/curfew history", "ops")).ok).toBe(true);
    bot.allow.service("sk_fourth");
    bot.change("SCHEDULER_API_KEY", "sk_fourth");
    await inAdmins("SCHEDULER_API_KEY works again");
    expect(await bot.callOnce()).toEqual([]);
    expect(await refused()).toEqual([]);
  };
  it("the service's key, which is tried, sent again, mistyped, unreadable and refused", async () => {
    await tried();
    await sentAgain();
    await notUsed();
    await unreadable();
    await refusedByService();
  }, 120_000);

  it("the bot token", async () => {
    const problems = await underLoad(async () => {
      bot.allow.bot("xoxb-second");
      bot.change("SLACK_BOT_TOKEN", "xoxb-second");
      await isTaken("SLACK_BOT_TOKEN");
    });
    expect(problems).toEqual([]);
    bot.slackGate.keys.delete(`Bearer ${bot.workspace.botToken}`);
    expect(await underLoad(bot.app.idle)).toEqual([]);
    const { refused: refusedBySlack } = bot.slackGate;
    expect(refusedBySlack).toEqual([]);
    bot.change("SLACK_BOT_TOKEN", "xoxe.xoxb-rotating");
    await inAdmins("SLACK_BOT_TOKEN is a rotating token (xoxe)");
    bot.change("SLACK_BOT_TOKEN", "xoxb-second");
    await inAdmins("SLACK_BOT_TOKEN_FILE works again");
  });

  it("the signing secret: both are taken while both are in the file", async () => {
    const { signingSecret } = bot.workspace;
    const problems = await underLoad(async () => {
      bot.change("SLACK_SIGNING_SECRET", `the-next-secret ${signingSecret}`);
      await isTaken("SLACK_SIGNING_SECRET");
      expect(await signedWith(bot, "the-next-secret")).toBe(200);
      expect(await signedWith(bot, "another-secret")).toBe(401);
    });
    expect(problems).toEqual([]);
    bot.change("SLACK_SIGNING_SECRET", "the-next-secret");
    await isTaken("SLACK_SIGNING_SECRET", 2);
    expect(await signedWith(bot, "the-next-secret")).toBe(200);
    expect(await signedWith(bot, signingSecret)).toBe(401);
    bot.change("SLACK_SIGNING_SECRET", signingSecret);
    await isTaken("SLACK_SIGNING_SECRET", 3);
  });

  it("the metrics token: both are taken while both are in the file", async () => {
    const [first, second] = ["metrics-token-number-1", "metrics-token-number-2"];
    bot.change("METRICS_TOKEN", `${second}\n${first}`);
    await isTaken("METRICS_TOKEN");
    expect([(await bot.metrics(first)).status, (await bot.metrics(second)).status]).toEqual([200, 200]);
    bot.change("METRICS_TOKEN", second);
    await isTaken("METRICS_TOKEN", 2);
    expect([(await bot.metrics(first)).status, (await bot.metrics(second)).status]).toEqual([401, 200]);
  });
});

it("the app token of Socket Mode: the next connection is made with the new one", async () => {
  const bot = await startWithKeyFiles("socket");
  try {
    const problems = await bot.underLoad([bot.callOnce, bot.askOnce], async () => {
      bot.allow.app("xapp-1-second");
      bot.change("SLACK_APP_TOKEN", "xapp-1-second");
      await expect.poll(() => bot.taken("SLACK_APP_TOKEN")).toBe(1);
      bot.slackGate.keys.delete(`Bearer ${bot.workspace.appToken}`);
    });
    expect(problems).toEqual([]);
    bot.workspace.sockets.drop();
    await bot.workspace.waitFor(() => bot.workspace.sockets.count() === 0);
    await bot.workspace.waitFor(() => bot.workspace.sockets.count() === 1);
    expect(await bot.askOnce()).toEqual([]);
    expect(bot.slackGate.refused).toEqual([]);
  } finally {
    await bot.stop();
  }
});

it("the headers of traces", async () => {
  const keys: unknown[] = [];
  const collector = createServer((request, response) => {
    keys.push(request.headers["api-key"]);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const address = collector.address();
  const port = typeof address === "object" ? address?.port : 0;
  const bot = await startWithKeyFiles("http", { collector: `http://127.0.0.1:${port}` });
  try {
    bot.change("OTEL_EXPORTER_OTLP_HEADERS", "api-key=second-collector-key");
    await expect.poll(() => bot.taken("OTEL_EXPORTER_OTLP_HEADERS")).toBe(1);
    expect(await bot.callOnce()).toEqual([]);
  } finally {
    // What was not sent yet is sent at the stop.
    await bot.stop();
    collector.close();
    collector.closeAllConnections();
  }
  expect(keys.at(-1)).toBe("second-collector-key");
});

it("a running process reads a secret again when its file changes, and logs it nowhere", async () => {
  const file = join(makeFolder("curfew-secrets"), "metrics");
  const [first, second] = ["metrics-token-number-1", "metrics-token-number-2"];
  writeFileSync(file, first);
  const { process, url, stop } = await startProcess({ METRICS_TOKEN_FILE: file });
  const read = async (token: string) =>
    (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
  try {
    expect([await read(first), await read(second)]).toEqual([200, 401]);
    writeFileSync(file, second);
    await process.sees(/"variable":"METRICS_TOKEN".*is used from now on/);
    expect([await read(first), await read(second)]).toEqual([401, 200]);
    expect(process.output).not.toContain("metrics-token");
  } finally {
    await stop();
  }
});
