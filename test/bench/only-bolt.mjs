// Plain Bolt with a listener that only acknowledges.
import bolt from "@slack/bolt";

const app = new bolt.App({
  token: process.env.SLACK_BOT_TOKEN,
  signingSecret: process.env.SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
});
app.command("/curfew", ({ ack }) => ack());
await app.start({ port: Number(process.env.PORT), host: "127.0.0.1" });
