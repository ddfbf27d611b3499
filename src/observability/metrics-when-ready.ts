import type { Metrics, MetricsOptions } from "./metrics.ts";

export interface MetricsWhenReady {
  readonly measure: Measure;
  /** Loads what counts. */
  load(): Promise<Metrics>;
}

/** What the parts tell of what they do, by the names that they have for it. Milliseconds. */
export type Measure = ReturnType<typeof measureInto>;

/**
 * What was measured is kept until what counts it is loaded: that takes some 30 ms, and a start need not wait for it. So `load` is to
 * be called soon after the start.
 */
export function createMetricsWhenReady(options: MetricsOptions): MetricsWhenReady {
  let kept: ((metrics: Metrics) => void)[] = [];
  let loaded: Metrics | undefined;
  let loading: Promise<Metrics> | undefined;
  const start = async () => {
    const { createMetrics } = await import("./metrics.ts");
    const metrics = createMetrics(options);
    for (const count of kept) count(metrics);
    kept = [];
    loaded = metrics;
    return metrics;
  };
  return {
    measure: measureInto((count) => {
      if (loaded === undefined) kept.push(count);
      else count(loaded);
    }),
    load: () => {
      loading ??= start();
      return loading;
    },
  };
}

/** Has a second one told of commands and of calls of Slack. */
export function measureBoth(measure: Measure, also: MeasuredAlso): Measure {
  return {
    ...measure,
    onCommand: (...told) => {
      measure.onCommand(...told);
      also.onCommand(...told);
    },
    onCall: (...told) => {
      measure.onCall(...told);
      also.onCall(...told);
    },
  };
}

type MeasuredAlso = Pick<Measure, "onCommand" | "onCall">;

interface Exchanged {
  readonly kind: string;
  /** Of the answer, when there was one. */
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
    onQuery: (statement: string, outcome: string, ms: number, _error?: unknown) =>
      take(({ database }) => database.observe({ statement, outcome }, ms / 1000)),
  };
}
