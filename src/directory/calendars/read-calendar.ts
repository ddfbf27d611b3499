import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { readFile, realpath, stat } from "node:fs/promises";
import { BlockList, isIP, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { dirname, extname, join, resolve, sep } from "node:path";
import { Agent, fetch } from "undici";
import { within } from "../../time/within.ts";

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

/** This host, loopback, link-local (with the cloud's metadata), multicast and reserved. */
const never = listsOf(
  ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3"],
  [
    // Also IPv4-compatible.
    ...["::/96", "::ffff:0:0/96"],
    // With IPv4 addresses inside: translated, Teredo and 6to4.
    ...["::ffff:0:0:0/96", "2001::/32", "2002::/16"],
    ...["fe80::/10", "ff00::/8"],
    // The metadata of Amazon.
    "fd00:ec2::/32",
  ],
);

const privateOnes = listsOf(
  ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15"],
  // The first: through NAT64, any IPv4 address.
  ["64:ff9b::/16", "fc00::/7", "fec0::/10"],
);

/** Why a calendar may not be read from this address; undefined when it may. */
function whyNotFrom(address: string, isPrivateAllowed: boolean): string | undefined {
  if (isIn(never, address) || isOwn(address)) return "it leads to this machine or to a forbidden address";
  if (isIn(privateOnes, address) && !isPrivateAllowed)
    return "it leads to a private address, which needs “private: true” at this calendar";
  return undefined;
}

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));

interface Lists {
  readonly ipv4: BlockList;
  readonly ipv6: BlockList;
}

/** Two lists, since an IPv4 address is also in an IPv6 list that holds the mapped ones. */
function listsOf(ipv4: readonly string[], ipv6: readonly string[]): Lists {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  const add = (family: keyof Lists, subnet: string) => {
    const [network = "", bits] = subnet.split("/");
    lists[family].addSubnet(network, Number(bits), family);
  };
  for (const subnet of ipv4) add("ipv4", subnet);
  for (const subnet of ipv6) add("ipv6", subnet);
  return lists;
}

const isIn = ({ ipv4, ipv6 }: Lists, address: string): boolean =>
  isIPv4(address) ? ipv4.check(address, "ipv4") : ipv6.check(address, "ipv6");
