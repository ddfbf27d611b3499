import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The parts of a request that identify its sender. */
interface From {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

/** Why a request may not read the metrics; undefined when it may. */
export type MetricsAccess = (request: From) => Refusal | undefined;

interface Refusal {
  readonly status: 401 | 403;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MetricsSettings {
  /** The port of a separate listener for the metrics. */
  readonly port: number | undefined;
  /** The bearer token. If set, every reader needs it. */
  readonly token: string | undefined;
}

/**
 * With a token: everyone who has it. With only a separate port: everyone who reaches that port. Otherwise only this machine, because
 * the port for Slack is open to the internet.
 */
export function createMetricsAccess({ port, token }: MetricsSettings): MetricsAccess {
  if (token !== undefined) return (request) => (hasToken(request, token) ? undefined : needsToken);
  if (port !== undefined) return () => undefined;
  return (request) => (isFromThisMachine(request) ? undefined : onlyHere);
}

const needsToken: Refusal = {
  status: 401,
  text: "the metrics need METRICS_TOKEN as a bearer token",
  headers: { "www-authenticate": "Bearer" },
};
const onlyHere: Refusal = {
  status: 403,
  text: "the metrics are shown only on the machine that Curfew runs on: set METRICS_PORT or METRICS_TOKEN",
};

/** Compares hashes, so that timing reveals neither the token nor its length. */
function hasToken({ headers }: From, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(hashOf(given), hashOf(token));
}

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** A proxy on this machine forwards requests from elsewhere, and marks them with one of these headers. */
const proxyHeaders = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

export function isFromThisMachine({ socket, headers }: From): boolean {
  const isLoopback = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  return isLoopback && !proxyHeaders.some((name) => headers[name] !== undefined);
}
