import type { IncomingMessage } from "node:http";

/** For all bodies together whose signature is not checked yet; Slack's are some kilobytes, and whole within moments. */
const budget = 4 * 1024 * 1024;
/** What even a chunk of one byte takes. */
const leastCost = 1024;

export interface UnverifiedBodies {
  /** Reads a body of at most so many bytes; undefined when it is larger. Never resolves for one that is broken off. */
  read(request: IncomingMessage, longest: number): Promise<Buffer | undefined>;
}

/** Reads bodies, all within one budget: when it is used up, the connection goes whose body has been under way for longest. */
export function createUnverifiedBodies(): UnverifiedBodies {
  const costs = createCosts();
  const read = (request: IncomingMessage, longest: number) =>
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
        const more = Math.max(chunk.length, leastCost);
        length += chunk.length;
        cost += more;
        if (length > longest || cost > longest + leastCost) return settle(undefined);
        chunks.push(chunk);
        costs.add(request, more);
      };
      const finish = () => settle(Buffer.concat(chunks));
      request.on("data", take).on("end", finish).on("close", stop);
    });
  return { read };
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
