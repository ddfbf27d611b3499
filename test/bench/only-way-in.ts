// Curfew's own receiver, with the same metrics as in production and a listener that only acknowledges.
import { createLogger } from "../../src/observability/log.ts";
import { createMetricsWhenReady } from "../../src/observability/metrics-when-ready.ts";
import { connectSlack } from "../../src/slack/connection/slack-connection.ts";
import { createSlackHttp } from "../../src/slack/connection/slack-http.ts";
import { botToken, signingSecret } from "./workspace-facts.ts";

const { fetch } = createSlackHttp();
const nothing = async () => {
  throw new Error("there is no database");
};
const metrics = createMetricsWhenReady({ backlog: nothing, now: Date.now });
await metrics.load();
const connection = await connectSlack({
  ...metrics.measure,
  botToken,
  apiUrl: process.env.SLACK_API_URL,
  receiver: { kind: "http", signingSecret },
  host: "127.0.0.1",
  port: Number(process.env.PORT),
  routes: {},
  fetch,
  log: createLogger({ level: "info" }),
});
connection.app.command("/curfew", ({ ack }) => ack());
await connection.start();
