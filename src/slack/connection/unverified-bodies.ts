import type { IncomingMessage } from "node:http";

/** For all bodies together whose signature is not checked yet; Slack's are some kilobytes, and whole within moments. */
const budget = 4 * 1024 * 1024;
/** The memory that even a chunk of one byte takes. */
const minChunkCost = 1024;

/** Reads bodies within one shared budget. When it is used up, closes the connection whose body has been arriving for longest. */
export function createUnverifiedBodies() {
  const costs = createCosts();
  const read = (request: IncomingMessage, maxBytes: number) =>
    new Promise<Buffer | undefined>((resolve) => {
      let chunks: Buffer[] = [];
      let length = 0;
      let cost = 0;
      const settle = (body: Buffer | undefined) => {
        stop();
        resolve(body);
      };
      const stop = () => {
        request.off("data", take).off("end", finish).off("close", stop);
        chunks = [];
        costs.forget(request);
      };
      const take = (chunk: Buffer) => {
        const more = Math.max(chunk.length, minChunkCost);
        length += chunk.length;
        cost += more;
        if (length > maxBytes || cost > maxBytes + minChunkCost) return settle(undefined);
        chunks.push(chunk);
        costs.add(request, more);
      };
      const finish = () => settle(Buffer.concat(chunks));
      request.on("data", take).on("end", finish).on("close", stop);
    });
  return {
    /** Reads a body; undefined if it has more than `maxBytes`. Never resolves for one that breaks off. */
    read,
  };
}

function createCosts() {
  const costs = new Map<IncomingMessage, number>();
  let total = 0;
  const forget = (request: IncomingMessage): void => {
    total -= costs.get(request) ?? 0;
    costs.delete(request);
  };
  return {
    forget,
    add: (request: IncomingMessage, cost: number): void => {
      costs.set(request, (costs.get(request) ?? 0) + cost);
      total += cost;
      for (const oldest of costs.keys()) {
        if (total <= budget) return;
        forget(oldest);
        oldest.socket.destroy();
      }
    },
  };
}
