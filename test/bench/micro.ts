// Small things, each measured alone. In its own process and bundled like the release, because running TypeScript adds cost to each function.
import { Pool } from "undici";
import { catalogue, commandOf } from "../../src/commands/catalogue.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { namesFrom } from "../../src/language/sense/names.ts";
import { decide } from "../../src/permissions/decide.ts";
import { createServiceClient } from "../../src/service/client.ts";
import { drawForm } from "../../src/slack/forms/form.ts";
import { understandLine } from "../../src/slack/listeners/line/understand-line.ts";
import { createMemoryDirectory } from "../commands/memory-directory.ts";
import { nowMs } from "./clock.ts";
import { median } from "./percentile.ts";
import { aligned, verdict } from "./table.ts";
import { curfewConfig } from "./workspace-facts.ts";

const [, , serviceUrl = ""] = process.argv;
/** After a warm-up round; their median counts. */
const rounds = 7;
process.stdout.write(await runMicro());

async function runMicro(): Promise<string> {
  const parsed = parseSettings(curfewConfig(), "curfew.yaml");
  if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
  const { settings } = parsed;
  const actor = {
    teamId: "T0BENCH",
    userId: "U0BENCH1",
    name: "alice",
    timeZone: "Europe/Berlin",
    membership: "member",
    groupIds: ["S0ENGINEERS"],
  } as const;
  const ask = { actor, operation: "CreateActionExclusion", channelId: "C0OPS", projectId: "p-dev" } as const;
  const request = { ...ask, resourceType: "amazon-ec2-instance", exclusionLengthMs: 7_200_000 };
  const form = commandOf("exclusion create");
  if (!form) throw new Error("there is no exclusion create");
  const context = { actor, channelId: "C0OPS", now: Date.now(), directory: createMemoryDirectory(), settings };
  const meta = { words: form.words, channelId: "C0OPS" };
  const shown = { input: {}, problems: {}, typed: {} };
  const decided = await micros(20_000, async () => void decide(settings.policy, request));
  const drawn = await micros(2000, async () => void (await drawForm(form, shown, meta, context)));
  const split = await micros(
    5000,
    async () => void understandLine("exclude i-0a1 for 2h", catalogue, context, namesFrom([])),
  );
  const ratio = await besideUndici();
  return aligned([
    ["small things, alone", "", "to reach", ""],
    ["decide, µs", decided.toFixed(1), "≤ 5", verdict(decided <= 5)],
    ["a form drawn, µs", drawn.toFixed(1), "", ""],
    ["a line understood, µs", split.toFixed(1), "≤ 50", verdict(split <= 50)],
    ["calls per second, the client beside raw undici", ratio.toFixed(2), "≥ 0.9", verdict(ratio >= 0.9)],
  ]);
}

async function besideUndici(): Promise<number> {
  const client = createServiceClient({ baseUrl: serviceUrl, apiKey: "bench-key" });
  const pool = new Pool(serviceUrl, { connections: 8 });
  const headers = { accept: "application/json", authorization: "AccessKey bench-key" };
  const raw = async () => {
    const { body } = await pool.request({ path: "/api/ManagedPolicies/mp-1", method: "GET", headers });
    await body.json();
  };
  const ours = async () => void (await client.call("GetManagedPolicy", { id: "mp-1" }));
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const ratio = (await perSecond(ours)) / (await perSecond(raw));
    if (round > 0) ratios.push(ratio);
  }
  await Promise.all([client.close(), pool.close()]);
  return median(ratios);
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const [count, atOnce] = [4000, 8];
  const beganAt = nowMs();
  let left = count;
  const goOn = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, goOn));
  return (count / (nowMs() - beganAt)) * 1000;
}

async function micros(count: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const beganAt = nowMs();
    for (let index = 0; index < count; index++) await work();
    if (round > 0) times.push(((nowMs() - beganAt) / count) * 1000);
  }
  return median(times);
}
