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
import packageJson from "../../package.json" with { type: "json" };
import type { Sender } from "../outbox/sender.ts";
import type { ServiceClient } from "../service/client.ts";
import type { Logger } from "./log.ts";

export interface TracingOptions {
  /** The base of an OTLP endpoint over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** Sent along with every export. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Tells an OpenTelemetry collector how long a request took and what of it: the command, its calls of the service and of Slack, and the
 * announcements that come of it, also those that come later, as long as this process lives. Never who, where, or with what.
 */
export interface Tracing {
  /** What a person asked for, from when it was read until all is answered. */
  request<T>(work: () => Promise<T>): Promise<T>;
  service(client: ServiceClient): ServiceClient;
  sender(sender: Sender): Sender;
  /** Runs what serves nobody's request in particular, whoever had it begun. */
  apart(work: () => void): void;
  onCommand(words: string, outcome: string, changeId?: string): void;
  onCall(method: string, outcome: string, ms: number): void;
  /** Sends what is left, as far as the collector takes it soon. */
  close(): Promise<void>;
}

const exportMs = 5000;
/** Of so many changes it is known where they began. */
const mostBegun = 1000;

export function openTracing({ endpoint, headers }: TracingOptions, log: Logger): Tracing {
  diag.setLogger(complaintsTo(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportMs,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "curfew", "service.version": packageJson.version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: exportMs })],
  });
  const tracer = provider.getTracer("curfew");
  const current = new AsyncLocalStorage<Span>();
  const begun = new Map<string, SpanContext>();

  const here = () => current.getStore()?.spanContext();
  const start = (name: string, kind: SpanKind, parent: SpanContext | undefined, startTime?: number) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return tracer.startSpan(name, { kind, ...(startTime === undefined ? {} : { startTime }) }, context);
  };
  const within = async <T>(span: Span, work: () => Promise<T>, tell: (result: T) => Attributes): Promise<T> => {
    try {
      const result = await current.run(span, work);
      span.setAttributes(tell(result));
      return result;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    request: (work) => within(start("request", SpanKind.SERVER, undefined), work, () => ({})),
    service: (client) => ({
      ...client,
      call: (operation, ...given) =>
        within(start(operation, SpanKind.CLIENT, here()), () => client.call(operation, ...given), outcomeOf),
      send: (operation, ...given) =>
        within(start(operation, SpanKind.CLIENT, here()), () => client.send(operation, ...given), outcomeOf),
    }),
    sender: (sender) => ({
      send: (outboxMessage) => {
        const span = start(`announce ${outboxMessage.kind}`, SpanKind.PRODUCER, begun.get(outboxMessage.changeId));
        span.setAttribute(changeAttribute, outboxMessage.changeId);
        return within(span, () => sender.send(outboxMessage), outcomeOf);
      },
    }),
    apart: (work) => current.exit(work),
    onCommand: (words, outcome, changeId) => {
      const span = current.getStore();
      if (!span) return;
      span.updateName(words).setAttribute(outcomeAttribute, outcome);
      if (changeId === undefined) return;
      span.setAttribute(changeAttribute, changeId);
      begun.set(changeId, span.spanContext());
      const [oldest] = begun.keys();
      if (begun.size > mostBegun && oldest !== undefined) begun.delete(oldest);
    },
    onCall: (method, outcome, ms) => {
      const endedAt = Date.now();
      const span = start(`slack ${method}`, SpanKind.CLIENT, here(), endedAt - ms);
      span.setAttribute(outcomeAttribute, outcome).end(endedAt);
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

const complainEveryMs = 10 * 60_000;

/** What OpenTelemetry complains of, such as a collector that refuses: seldom, since it would of every export. */
function complaintsTo(log: Logger): DiagLogger {
  let nextAt = 0;
  const complain = (problem: string) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + complainEveryMs;
    log.warn({ problem }, "traces could not be sent");
  };
  const ignore = () => undefined;
  return { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore };
}

const outcomeAttribute = "curfew.outcome";
const changeAttribute = "curfew.change.id";
const outcomeOf = ({ kind }: { readonly kind: string }): Attributes => ({ [outcomeAttribute]: kind });
