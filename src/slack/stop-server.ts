import type { Server } from "node:http";

const idleCheckMs = 50;
/** For requests that are still on their way in. */
const unverifiedMs = 1000;
/** Slack waits no longer for an answer (platform.md §1.5); a server that is closing ends slow requests no more by itself. */
const longestAnswerMs = 4000;

/** Stops listening and resolves when the last answer is out; connections with nothing under way, or with no end, are closed. */
export function stopServer(server: Server, closeUnverified: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    const grace = setTimeout(closeUnverified, unverifiedMs);
    const deadline = setTimeout(() => server.closeAllConnections(), longestAnswerMs);
    server.close(() => {
      clearInterval(timer);
      clearTimeout(grace);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
