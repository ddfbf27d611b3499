import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { readFile, realpath, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { dirname, extname, join, resolve, sep } from "node:path";
import { Agent, fetch } from "undici";
import { within } from "../../time/within.ts";
import { whyNotFrom } from "./public-address.ts";

/** Why a calendar is not known. */
export interface Problem {
  readonly problem: string;
}

/** How a host's name is resolved and an address is asked. */
export interface Network {
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** Connects to one of these addresses and to no other. Follows no redirect. */
  readonly get: (url: URL, addresses: readonly LookupAddress[], signal: AbortSignal) => Promise<Answer>;
}

interface Answer extends Pick<Response, "status" | "ok"> {
  readonly headers: Pick<Headers, "get">;
  readonly body: (AsyncIterable<Uint8Array> & Pick<ReadableStream, "cancel">) | null;
}

interface Source {
  readonly url: string;
  readonly isPrivateAllowed: boolean;
}

const timeoutMs = 10_000;
const mostRedirects = 3;
/** A calendar of many years' holidays has some 100 kB. */
const mostBytes = 2_000_000;
const tooLarge: Problem = { problem: `it has more than ${mostBytes / 1_000_000} MB` };

/** The text at an https address, within a time, a size and three redirects. Each address is checked before the request. Never throws. */
export async function fetchCalendar(source: Source, network: Network = internet): Promise<{ text: string } | Problem> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = { problem: `it did not come within ${timeoutMs / 1000} seconds` };
  // A look-up of a name knows no signal.
  const read = follow(source, network, signal).catch((error: unknown) =>
    signal.aborted ? late : { problem: reasonOf(error) },
  );
  return (await within(timeoutMs, read)) ?? late;
}

async function follow({ url, isPrivateAllowed }: Source, { resolve, get }: Network, signal: AbortSignal) {
  let next = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    if (next.protocol !== "https:") return { problem: "it leads to an address without https" };
    const addresses = await addressesOf(next, resolve);
    const reasons = addresses.flatMap(({ address }) => whyNotFrom(address, isPrivateAllowed) ?? []);
    if (reasons[0] !== undefined) return { problem: reasons[0] };
    const answer = await get(next, addresses, signal);
    const location = answer.headers.get("location");
    if (answer.status < 300 || answer.status >= 400 || location === null) return textOf(answer);
    await answer.body?.cancel();
    next = new URL(location, next);
  }
  return { problem: `it leads through more than ${mostRedirects} redirects` };
}

async function addressesOf({ hostname }: URL, resolve: Network["resolve"]): Promise<readonly LookupAddress[]> {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  return family === 0 ? resolve(hostname) : [{ address, family }];
}

async function textOf({ ok, status, body }: Answer): Promise<{ text: string } | Problem> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (!ok) await body?.cancel();
  if (!ok) return { problem: `the answer is ${status}` };
  for await (const part of body ?? []) {
    size += part.length;
    if (size > mostBytes) return tooLarge;
    parts.push(part);
  }
  return { text: Buffer.concat(parts).toString("utf8") };
}

/** The address may hold a secret, and so may the error's text. */
function reasonOf(error: unknown): string {
  const { code = Object(Object(error).cause).code } = Object(error);
  return `it could not be reached${typeof code === "string" ? ` (${code})` : ""}`;
}

const internet: Network = {
  resolve: (hostname) => lookup(hostname, { all: true }),
  get: getFrom,
};

export async function getFrom(url: URL, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<Answer> {
  const agent = new Agent({
    connect: {
      // What was checked is what is connected to: the name is not looked up again.
      lookup: (_hostname, { all }, callback) => {
        const [{ address, family } = { address: "", family: 0 }] = addresses;
        if (all) callback(null, [...addresses]);
        else callback(null, address, family);
      },
    },
  });
  try {
    return await fetch(url, { dispatcher: agent, redirect: "manual", signal });
  } finally {
    // Ends when the body is read.
    void agent.close();
  }
}

/**
 * The text of a calendar's file. Only a file named *.ics below the folder of curfew.yaml is read, also where links lead to: secrets are
 * kept in files too. Never throws.
 */
export async function readCalendarFile(configFile: string, file: string): Promise<{ text: string } | Problem> {
  try {
    const folder = await realpath(dirname(configFile));
    const path = await realpath(resolve(folder, file));
    if (!path.startsWith(join(folder, sep))) return { problem: "its file is not below the folder of curfew.yaml" };
    if (extname(path) !== ".ics") return { problem: "its file is not named *.ics" };
    const found = await stat(path);
    if (!found.isFile()) return { problem: "its file is no plain file" };
    return found.size > mostBytes ? tooLarge : { text: await readFile(path, "utf8") };
  } catch (error) {
    const { code } = Object(error);
    return { problem: code === "ENOENT" ? "its file does not exist" : `its file can't be read (${code})` };
  }
}
