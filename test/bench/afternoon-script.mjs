// A script written in an afternoon: the same command, without permissions, records or announcements.
import bolt from "@slack/bolt";

const app = new bolt.App({
  token: process.env.SLACK_BOT_TOKEN,
  signingSecret: process.env.SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
});

app.command("/curfew", async ({ ack, command, client }) => {
  await ack();
  const [, id, , hours] = command.text.split(" ");
  const answer = await fetch(`${process.env.SCHEDULER_BASE_URL}/api/ActionExclusions`, {
    method: "POST",
    headers: {
      authorization: `AccessKey ${process.env.SCHEDULER_API_KEY}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      projectId: "p-dev",
      name: `${command.user_name}: ${id}`,
      isEnabled: true,
      expiryDate: new Date(Date.now() + Number.parseInt(hours, 10) * 3_600_000).toISOString(),
      resourceType: "amazon-ec2-instance",
      resourceIdentificationMethod: "by-resource-id",
      resourceIds: [id],
      processes: ["stop-resource"],
    }),
  });
  const exclusion = await answer.json();
  await client.chat.postMessage({
    channel: command.channel_id,
    text: `<@${command.user_id}> excluded ${id} until ${exclusion.expiryDate} (${exclusion.actionExclusionId})`,
  });
});

await app.start({ port: Number(process.env.PORT), host: "127.0.0.1" });
