import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The part of a request that tells who it is from. */
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
  /** Of a listener for the metrics alone. */
  readonly port: number | undefined;
  /** Without it nobody may read them. */
  readonly token: string | undefined;
}

/**
 * With a token, whoever has it; without, on a port for the metrics alone, everybody who reaches that; else only this machine, since the
 * port that Slack reaches is open to the world.
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

/** Compared as hashes, so that the time it takes tells neither the token nor its length. */
function hasToken({ headers }: From, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(hashOf(given), hashOf(token));
}

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** What a proxy on the same machine hands on comes from elsewhere; it says so in one of these headers. */
const proxyHeaders = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

function isFromThisMachine({ socket, headers }: From): boolean {
  const isLoopback = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  return isLoopback && !proxyHeaders.some((name) => headers[name] !== undefined);
}
