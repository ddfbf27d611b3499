import { onTestFinished } from "vitest";
import { type SandboxServiceOptions, startSandboxService } from "../../../src/sandbox/service/start-sandbox-service.ts";

/** A Friday in winter. */
export const friday = Date.parse("2026-11-20T12:00:00.000Z");

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** A service with a settable clock, closed when the test ends. */
export async function startService(options: SandboxServiceOptions = {}) {
  const clock = { now: friday };
  const service = await startSandboxService({ now: () => clock.now, ...options });
  onTestFinished(() => service.close());

  async function send(method: string, path: string, { headers, body, signal }: Sent = {}): Promise<Response> {
    return fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `AccessKey ${service.apiKey}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  async function call(method: string, path: string, body?: unknown) {
    const response = await send(method, path, { body });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  return { service, account: service.account, clock, send, call };
}

/** Fails when the value is missing. */
export function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("Expected a value.");
  return value;
}
