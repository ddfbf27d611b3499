import { type CheckResult, checkResultsOf } from "../observability/check-result.ts";
import { createServiceClient } from "../service/client.ts";
import { browseOperation } from "../service/operations.ts";
import type { ServiceError } from "../service/service-error.ts";
import type { ClockReading } from "../slack/checks/check-client.ts";

const { ok, warning, failed } = checkResultsOf("service");

const timeoutMs = 10_000;

/** Calls ListActions once, to see whether the service is reachable and accepts the key. */
export async function checkService(
  service: { readonly baseUrl: string; readonly apiKey: string },
  now: () => number,
): Promise<{ readonly result: CheckResult; readonly reading: ClockReading | undefined }> {
  let reading: ClockReading | undefined;
  let tookMs = 0;
  const sentAt = now();
  const client = createServiceClient({
    ...service,
    retries: 0,
    attemptTimeoutMs: timeoutMs,
    onExchange: (_request, exchange, ms) => {
      tookMs = Math.round(ms);
      const saidAt = exchange.kind === "answered" ? Date.parse(exchange.headers.date ?? "") : Number.NaN;
      if (!Number.isNaN(saidAt)) reading = { sentAt, receivedAt: now(), saidAt };
    },
  });
  const result = await client.call(browseOperation, {});
  await client.close();
  const at = `${service.baseUrl}: `;
  if (result.kind !== "succeeded") return { result: explain(at, result.error), reading };
  const count = result.answer?.length ?? 0;
  return { result: ok(`${at}took the key and listed ${count} actions in ${tookMs} ms`), reading };
}

const adviceFor: Readonly<Record<string, string>> = {
  Unreachable: "Look at SCHEDULER_BASE_URL, the network, the proxy and the firewall.",
  ConnectionLost: "Look at the network and at what stands between Curfew and the service, and try again.",
  TimedOut: "Look at the network and at the service, and try again.",
  Redirected: "Put the address it redirects to into SCHEDULER_BASE_URL, without /api.",
  UnreadableAnswer: "Look whether SCHEDULER_BASE_URL is the service's, without /api.",
};

function explain(at: string, { code, status, message }: ServiceError): CheckResult {
  const what = status === undefined ? `${at}${message}` : `${at}${status} ${code}: ${message}`;
  if (status === 401)
    return failed(what, "The service does not know the key: put a valid access key into SCHEDULER_API_KEY.");
  if (status === 403)
    return failed(
      what,
      "The service knows the key but does not let it list actions: give its user the rights, or take another key.",
    );
  if (status === 404) return failed(what, "Look whether SCHEDULER_BASE_URL is the service's, without /api.");
  if (status === 429) return warning(what, "The service was asked too much: wait, and see what else uses this key.");
  return failed(what, adviceFor[code] ?? "The service failed: try again, and inform those who run it.");
}
