import { startStandIn } from "./child.ts";
import { curfew } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { line, type Place, requireAll } from "./round.ts";
import { aligned, verdict } from "./table.ts";

const commands = 1000;

interface Served {
  readonly created: number;
  readonly mostInFlight: number;
}
interface Posted {
  readonly posts: number;
  /** Null when no channel got two. */
  readonly shortestGapMs: number | null;
  readonly calls: Readonly<Record<string, number>>;
}

/** A thousand commands within one second, against services with the given delays. */
export async function runBurst({ folder, load }: Place, serviceDelaysMs: readonly number[]): Promise<string> {
  const sections: string[] = [];
  for (const delayMs of serviceDelaysMs) {
    const slack = await startStandIn("./stand-ins/slack.ts");
    const service = await startStandIn("./stand-ins/service.ts", ["20", String(delayMs)]);
    const around = { slackUrl: slack.url, serviceUrl: service.url };
    const bot = await curfew().start(`${folder}/burst-${delayMs}`, around);
    try {
      const order = { botUrls: [bot.url], slackUrl: slack.url, line, seenAs: "answer", concurrency: 0 } as const;
      const result = await load.ask<LoadResult>({ ...order, kind: "open", count: commands, perSecond: commands });
      requireAll({ name: "Curfew" }, result, commands);
      const [served, posted] = [await read<Served>(service.url, "served"), await read<Posted>(slack.url, "posted")];
      sections.push(
        `${commands} commands within a second, the service taking ${delayMs} ms`,
        burstTable(result, served, posted),
      );
    } finally {
      await bot.stop();
      await Promise.all([slack.stop(), service.stop()]);
    }
  }
  return sections.join("\n");
}

function burstTable(result: LoadResult, served: Served, { posts, shortestGapMs, calls }: Posted): string {
  const { acknowledgement, seen, seenMs, noticed, wronglyNoticed } = result;
  const most = (label: string, value: number, allowed: number) =>
    [label, value.toFixed(0), `≤ ${allowed}`, verdict(value <= allowed)] as const;
  const gap: readonly string[] =
    shortestGapMs === null ? ["", ""] : [shortestGapMs.toFixed(0), verdict(shortestGapMs >= 1000)];
  return aligned([
    ["", "", "to reach", ""],
    most("slowest acknowledgement, ms", acknowledgement.most, 3000),
    ["answered", String(seen), `${commands}`, verdict(seen === commands)],
    ["made by the service", String(served.created), `${commands}`, verdict(served.created === commands)],
    most("in flight at the service", served.mostInFlight, 32),
    ["last answer after, ms", seenMs.toFixed(0), "", ""],
    ["progress notices", String(noticed), "", ""],
    most("missing", wronglyNoticed, 0),
    ["messages to the channel during the burst", String(posts), "", ""],
    ["shortest time between two, ms", gap[0] ?? "", "≥ 1000", gap[1] ?? ""],
    most("users.info", calls["users.info"] ?? 0, 100),
    most("usergroups.list", calls["usergroups.list"] ?? 0, 20),
  ]);
}

async function read<T>(url: string, what: string): Promise<T> {
  // The stand-ins' messages are declared next to them.
  return (await (await fetch(`${url}/bench/${what}`)).json()) as T;
}
