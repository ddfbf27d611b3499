import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type DiagLogger,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { ServiceClient } from "../service/client.ts";
import type { Logger } from "./log.ts";
import { version } from "./version.ts";

export interface TracingOptions {
  /** The base URL of an OTLP endpoint over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** Sent with every export. Read for each. */
  readonly headers: Readonly<Record<string, string>>;
}

export type Tracing = ReturnType<typeof openTracing>;

interface Ended {
  readonly kind: string;
}

/** A message about a change. */
interface Sent extends Ended {
  readonly changeId: string;
}

interface Sender<M, R> {
  send(message: M): Promise<R>;
}

const exportMs = 5000;
/** The starting spans of this many recent changes are kept. */
const maxStartSpans = 1000;

/**
 * Sends spans to an OpenTelemetry collector: each request, its command, its calls to the service and to Slack, and its announcements,
 * including later ones while this process runs. Spans never say who, where, or with what input.
 */
export function openTracing(options: TracingOptions, log: Logger) {
  diag.setLogger(createDiagLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint}/v1/traces`,
    headers: async () => ({ ...options.headers }),
    timeoutMillis: exportMs,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "curfew", "service.version": version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: exportMs })],
  });
  const tracer = provider.getTracer("curfew");
  const current = new AsyncLocalStorage<Span>();
  const startSpans = new Map<string, SpanContext>();

  const here = () => current.getStore()?.spanContext();
  const start = (name: string, kind: SpanKind, parent: SpanContext | undefined, startTime?: number) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return tracer.startSpan(name, { kind, ...(startTime === undefined ? {} : { startTime }) }, context);
  };
  const within = async <T>(span: Span, work: () => Promise<T>, attributesOf: (result: T) => Attributes): Promise<T> => {
    try {
      const result = await current.run(span, work);
      span.setAttributes(attributesOf(result));
      return result;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    /** A person's request, from when it was read until it is fully answered. */
    request: <T>(work: () => Promise<T>): Promise<T> =>
      within(start("request", SpanKind.SERVER, undefined), work, () => ({})),
    service: (client: ServiceClient): ServiceClient => ({
      ...client,
      call: (operation, ...given) =>
        within(start(operation, SpanKind.CLIENT, here()), () => client.call(operation, ...given), outcomeOf),
      send: (operation, ...given) =>
        within(start(operation, SpanKind.CLIENT, here()), () => client.send(operation, ...given), outcomeOf),
    }),
    sender: <M extends Sent, R extends Ended>(sender: Sender<M, R>): Sender<M, R> => ({
      send: (message) => {
        const span = start(`announce ${message.kind}`, SpanKind.PRODUCER, startSpans.get(message.changeId));
        span.setAttribute(changeAttribute, message.changeId);
        return within(span, () => sender.send(message), outcomeOf);
      },
    }),
    onCommand: (words: string, outcome: string, changeId?: string): void => {
      const span = current.getStore();
      if (!span) return;
      span.updateName(words).setAttribute(outcomeAttribute, outcome);
      if (changeId === undefined) return;
      span.setAttribute(changeAttribute, changeId);
      startSpans.set(changeId, span.spanContext());
      const [oldest] = startSpans.keys();
      if (startSpans.size > maxStartSpans && oldest !== undefined) startSpans.delete(oldest);
    },
    onCall: (method: string, outcome: string, ms: number): void => {
      const endedAt = Date.now();
      const span = start(`slack ${method}`, SpanKind.CLIENT, here(), endedAt - ms);
      span.setAttribute(outcomeAttribute, outcome).end(endedAt);
    },
    /** Sends the remaining spans, within the export time limit. */
    close: (): Promise<void> => provider.shutdown().catch(() => undefined),
  };
}

const logEveryMs = 10 * 60_000;

/** Logs OpenTelemetry's problems, such as a refusing collector. Rate-limited, because every export would report the same. */
function createDiagLogger(log: Logger): DiagLogger {
  let nextAt = 0;
  const report = (problem: string) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + logEveryMs;
    log.warn({ problem }, "traces could not be sent");
  };
  const ignore = () => undefined;
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
}

const outcomeAttribute = "curfew.outcome";
const changeAttribute = "curfew.change.id";
const outcomeOf = ({ kind }: Ended): Attributes => ({ [outcomeAttribute]: kind });
