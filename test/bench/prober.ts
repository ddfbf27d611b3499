import { createInterface } from "node:readline";
import { Pool } from "undici";
import { nowMs } from "./clock.ts";
import { type SignedRequest, signed, slashCommand } from "./slack-request.ts";
import { userIds } from "./workspace-facts.ts";

/** Sends one bot one request at a time, and measures how long people wait, in ms. */
export interface Prober {
  /** From a command to its answer. */
  command(line: string): Promise<number>;
  /** From opening the Home tab until it is shown. */
  home(): Promise<number>;
  /** From typing in a form to the suggestions. */
  suggestion(words: string, blockId: string, typed: string): Promise<number>;
  stop(): Promise<void>;
}

const giveUpMs = 15_000;
let lastJob = 1_000_000;

/** One person sends all requests: the job's number determines who (slack-request.ts). */
function nextJob(): number {
  lastJob += userIds.length;
  return lastJob;
}

export async function startProber(botUrl: string, slackUrl: string): Promise<Prober> {
  const bot = new Pool(botUrl);
  const slack = new Pool(slackUrl, { bodyTimeout: 0 });
  const { body } = await slack.request({ path: "/bench/seen", method: "GET" });
  body.on("error", () => undefined);
  const seen = new Map<number, (at: number) => void>();
  const lines = createInterface({ input: body });
  lines.on("error", () => undefined);
  lines.on("line", (line) => {
    const [job, , at] = line.split(" ");
    seen.get(Number(job))?.(Number(at));
  });
  const send = async ({ body: text, headers }: SignedRequest): Promise<void> => {
    const answer = await bot.request({ path: "/slack/events", method: "POST", headers, body: text });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  };
  const untilSeen = async (job: number, request: SignedRequest): Promise<number> => {
    const sentAt = nowMs();
    const sight = new Promise<number>((resolve, reject) => {
      seen.set(job, resolve);
      setTimeout(() => reject(new Error("nothing came into sight")), giveUpMs).unref();
    });
    await send(request);
    const at = await sight;
    seen.delete(job);
    return at - sentAt;
  };
  const payload = (content: object) =>
    signed(new URLSearchParams({ payload: JSON.stringify(content) }).toString(), "application/x-www-form-urlencoded");
  return {
    command: (line) => {
      const job = nextJob();
      return untilSeen(job, slashCommand(job, line, slackUrl));
    },
    home: () => {
      const event = { type: "app_home_opened", user: userIds[0], channel: "D1", tab: "home", event_ts: "1.1" };
      const content = { type: "event_callback", team_id: "T0BENCH", event_id: `Ev${nextJob()}`, event };
      return untilSeen(0, signed(JSON.stringify(content), "application/json"));
    },
    suggestion: async (words, blockId, typed) => {
      const view = { type: "modal", private_metadata: JSON.stringify({ words, channelId: "C0OPS" }) };
      const about = { action_id: "reference:value", block_id: blockId, value: typed, view };
      const sentAt = nowMs();
      await send(payload({ type: "block_suggestion", user: { id: userIds[0] }, team: { id: "T0BENCH" }, ...about }));
      return nowMs() - sentAt;
    },
    stop: async () => {
      await Promise.all([bot.destroy(), slack.destroy()]);
    },
  };
}
