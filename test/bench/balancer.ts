/** Sends Slack's requests to instances in turn, as a load balancer does: to the next one where nothing listens. */
export function createBalancer() {
  let urls: readonly string[] = [];
  let turn = 0;
  const send: typeof globalThis.fetch = async (address, init) => {
    const url = urls[turn++ % urls.length];
    if (url === undefined) throw new TypeError("no instance listens");
    try {
      return await fetch(`${url}/slack/events`, init);
    } catch (error) {
      // Where a connection broke later, the request may have arrived. Slack does not send a command again.
      if (!isRefused(error)) throw error;
      urls = urls.filter((each) => each !== url);
      return send(address, init);
    }
  };
  return {
    fetch: send,
    add: (url: string) => {
      urls = [...urls, url];
    },
  };
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  "code" in error.cause &&
  error.cause.code === "ECONNREFUSED";
