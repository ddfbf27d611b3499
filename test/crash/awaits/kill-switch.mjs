// Loaded before the bundle. Kills the process when it continues after an await for the n-th time, counted from the first request of
// Slack's after it was armed: a promise that settled, a timer, or an answer of the database, the service or Slack.
import { createHook } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import "../../support/child-clock.mjs";

let killAt;
let continued = 0;
const counting = createHook({
  before: () => {
    continued += 1;
    if (continued === killAt) process.kill(process.pid, "SIGKILL");
  },
});

subscribe("http.server.request.start", ({ request }) => {
  if (killAt !== undefined && request.url === "/slack/events") counting.enable();
});

process.on("message", (message) => {
  killAt = message.killAt ?? killAt;
  if (process.connected) process.send({ killAt, continued });
});
