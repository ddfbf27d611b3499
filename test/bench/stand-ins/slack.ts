// A workspace that answers immediately, or at a distance: half of it before it has a request, half before the reply arrives. Readers of /bench/seen get each visible result of a job with its time.
import type { ServerResponse } from "node:http";
import { nowMs } from "../clock.ts";
import { groupId, jobIn, type SeenAs, teamId, userIds } from "../workspace-facts.ts";
import { readBody, serve } from "./serve.ts";

const [distanceMs = 0] = process.argv.slice(2).map(Number);
let watcher: ServerResponse | undefined;
let lines: string[] = [];
let posts = 0;
/** The time of the last post in each channel, and the shortest time between two posts. */
const lastPost = new Map<string, number>();
let shortestGapMs = Number.POSITIVE_INFINITY;
const calls = new Map<string, number>();

serve(async (request, response) => {
  const [path = ""] = (request.url ?? "").split("?");
  if (path === "/bench/seen") return watch(response);
  if (path === "/bench/posted") return reply(response, { posts, shortestGapMs, calls: Object.fromEntries(calls) });
  const body = await readBody(request);
  if (distanceMs > 0) await pause(distanceMs / 2);
  if (!path.startsWith("/respond/")) return reply(response, { ok: true, ...called(path.slice("/api/".length), body) });
  report(jobIn(path), "answer");
  send(response, "ok", "text/plain");
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function called(method: string, body: string): object {
  calls.set(method, (calls.get(method) ?? 0) + 1);
  switch (method) {
    case "auth.test":
      return {
        user_id: "U0BOT",
        bot_id: "B0BOT",
        team_id: teamId,
        team: "Bench",
        user: "curfew",
        url: "http://bench/",
      };
    case "users.info":
      return { user: user(new URLSearchParams(body).get("user") ?? "") };
    case "usergroups.list":
      return { usergroups: [{ id: groupId, users: userIds }] };
    case "chat.postMessage":
      posts++;
      noteGap(new URLSearchParams(body).get("channel") ?? "");
      report(jobIn(body), "post");
      return { channel: new URLSearchParams(body).get("channel"), ts: `${Date.now() / 1000}.${posts}` };
    case "views.open":
    case "views.update":
    case "views.publish":
      return { view: { id: "V0BENCH" } };
    default:
      return {};
  }
}

function noteGap(channel: string): void {
  const gapMs = nowMs() - (lastPost.get(channel) ?? Number.NEGATIVE_INFINITY);
  shortestGapMs = Math.min(shortestGapMs, gapMs);
  lastPost.set(channel, nowMs());
}

function user(id: string): object {
  const profile = { display_name: id.toLowerCase(), email: `${id.toLowerCase()}@example.com` };
  return { id, team_id: teamId, tz: "Europe/Berlin", real_name: id, profile };
}

function reply(response: ServerResponse, body: object): void {
  send(response, JSON.stringify(body), "application/json");
}

function send(response: ServerResponse, text: string, type: string): void {
  const write = () =>
    response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
  if (distanceMs > 0) setTimeout(write, distanceMs / 2);
  else write();
}

/** Sends batches: one write for everything seen within one turn of the event loop. */
function report(job: number | undefined, seenAs: SeenAs): void {
  if (job === undefined) return;
  if (lines.length === 0) setImmediate(flush);
  lines.push(`${job} ${seenAs} ${nowMs()}\n`);
}

function flush(): void {
  watcher?.write(lines.join(""));
  lines = [];
}

function watch(response: ServerResponse): void {
  watcher = response;
  response.writeHead(200).flushHeaders();
  response.on("close", () => {
    if (watcher === response) watcher = undefined;
  });
}
