import type { Server } from "node:http";

const idleCheckMs = 50;

/** Stops listening and resolves when the last answer is out; kept-alive connections with nothing under way are closed. */
export function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    server.close(() => {
      clearInterval(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
