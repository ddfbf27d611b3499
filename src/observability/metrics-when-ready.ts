import type { Metrics, MetricsOptions } from "./metrics.ts";

export type MetricsWhenReady = ReturnType<typeof createMetricsWhenReady>;

/** Callbacks that record measurements, named as their callers name them. Times are in milliseconds. */
export type Measure = ReturnType<typeof measureInto>;

/**
 * Buffers measurements until the metrics module is loaded. Loading takes some 30 ms, and the start need not wait for it. Call `load`
 * soon after the start.
 */
export function createMetricsWhenReady(options: MetricsOptions) {
  let buffered: ((metrics: Metrics) => void)[] = [];
  let loaded: Metrics | undefined;
  let loading: Promise<Metrics> | undefined;
  const start = async () => {
    const { createMetrics } = await import("./metrics.ts");
    const metrics = createMetrics(options);
    for (const count of buffered) count(metrics);
    buffered = [];
    loaded = metrics;
    return metrics;
  };
  return {
    measure: measureInto((count) => {
      if (loaded === undefined) buffered.push(count);
      else count(loaded);
    }),
    /** Loads the metrics module. */
    load: (): Promise<Metrics> => {
      loading ??= start();
      return loading;
    },
  };
}

/** Reports commands and Slack calls to a second listener as well. */
export function measureBoth(measure: Measure, also: Pick<Measure, "onCommand" | "onCall">): Measure {
  return {
    ...measure,
    onCommand: (...args) => {
      measure.onCommand(...args);
      also.onCommand(...args);
    },
    onCall: (...args) => {
      measure.onCall(...args);
      also.onCall(...args);
    },
  };
}

interface Exchanged {
  readonly kind: string;
  /** The HTTP status of the answer, if there was one. */
  readonly status?: number;
}

function measureInto(take: (count: (metrics: Metrics) => void) => void) {
  return {
    onCommand: (command: string, outcome: string, _changeId?: string) =>
      take(({ commands }) => commands.inc({ command, outcome })),
    onOutcome: (operation: string, outcome: string) => take(({ changes }) => changes.inc({ operation, outcome })),
    onExchange: ({ operation }: { readonly operation: string }, { kind, status }: Exchanged, ms: number) =>
      take(({ service }) => service.observe({ operation, status: status ?? kind }, ms / 1000)),
    onCall: (method: string, outcome: string, ms: number) =>
      take(({ slack }) => slack.observe({ method, outcome }, ms / 1000)),
    onAck: (request: string, ms: number) => take(({ ack }) => ack.observe({ request }, ms / 1000)),
    onPoll: (at: number) => take(({ watch }) => watch.polled(at)),
    onQuery: (statement: string, outcome: string, ms: number, _error?: unknown) =>
      take(({ database }) => database.observe({ statement, outcome }, ms / 1000)),
  };
}
