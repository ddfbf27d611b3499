import type { LookupAddress } from "node:dns";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchCalendar, getFrom, type Network } from "../../../src/directory/calendars/read-calendar.ts";

const open = "192.0.2.10";

/** A network whose names and answers a test sets. It records what was asked, of which address. */
function aNetwork(names: Readonly<Record<string, readonly string[]>>, answers: Readonly<Record<string, Response>>) {
  const asked: string[] = [];
  const network: Network = {
    resolve: async (hostname) => {
      const addresses = names[hostname];
      if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" });
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
    get: async (url, addresses) => {
      asked.push(`${url} of ${addresses.map(({ address }) => address).join(", ")}`);
      return answers[url.href] ?? new Response(null, { status: 404 });
    },
  };
  const fetchIt = (url: string, isPrivateAllowed = false) => fetchCalendar({ url, isPrivateAllowed }, network);
  return { asked, fetch: fetchIt };
}

const to = (location: string, status = 302) => new Response(null, { status, headers: { location } });
const ok = () => new Response("BEGIN:VCALENDAR");
const first = "https://calendar.example.com/days.ics";
const names = { "calendar.example.com": [open], "other.example.com": ["2001:db8::7"] };
const own = "it leads to this machine or to a forbidden address";
const isPrivate = "it leads to a private address, which needs “private: true” at this calendar";

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("by %i is followed, and its address is looked up", async (status) => {
    const second = "https://other.example.com/days.ics";
    const { asked, fetch } = aNetwork(names, { [first]: to(second, status), [second]: ok() });
    expect(await fetch(first)).toEqual({ text: "BEGIN:VCALENDAR" });
    expect(asked).toEqual([`${first} of ${open}`, `${second} of 2001:db8::7`]);
  });

  test.each([
    ["https://127.0.0.1/", own],
    ["https://0x7f.1/", own],
    ["https://2130706433/", own],
    ["https://[::1]/", own],
    ["https://[::ffff:127.0.0.1]/", own],
    ["https://[::ffff:a00:1]/", own],
    ["https://169.254.169.254/latest/meta-data", own],
    ["https://inside.example.com/", own],
    ["https://lan.example.com/", isPrivate],
    ["http://other.example.com/days.ics", "it leads to an address without https"],
    ["file:///etc/passwd", "it leads to an address without https"],
    ["https://none.example.com/?token=hunter2", "it could not be reached (ENOTFOUND)"],
    ["https://", "it could not be reached (ERR_INVALID_URL)"],
  ])("to %s is refused, before anything is sent", async (location, problem) => {
    const inside = { "inside.example.com": [open, "127.0.0.1"], "lan.example.com": ["10.1.2.3"] };
    const { asked, fetch } = aNetwork({ ...names, ...inside }, { [first]: to(location) });
    expect(await fetch(first)).toEqual({ problem });
    expect(asked).toEqual([`${first} of ${open}`]);
  });

  test("to a name that now leads to this machine is refused, and each name is looked up once", async () => {
    const addresses = [open, "127.0.0.1"];
    const asked: string[] = [];
    const network: Network = {
      resolve: async () => [{ address: addresses.shift() ?? "", family: 4 }],
      get: async (url, [checked]) => {
        asked.push(`${url} of ${checked?.address}`);
        return to("/again");
      },
    };
    expect(await fetchCalendar({ url: first, isPrivateAllowed: false }, network)).toEqual({ problem: own });
    expect(asked).toEqual([`${first} of ${open}`]);
  });

  test("is followed three times, and no fourth time", async () => {
    const at = (hop: number) => `https://calendar.example.com/${hop}`;
    const hops = Object.fromEntries([0, 1, 2, 3].map((hop) => [at(hop), to(`/${hop + 1}`)]));
    const { asked, fetch } = aNetwork(names, { ...hops, [at(4)]: ok() });
    expect(await fetch(at(0))).toEqual({ problem: "it leads through more than 3 redirects" });
    expect(asked).toHaveLength(4);
    expect(await aNetwork(names, { ...hops, [at(4)]: ok() }).fetch(at(1))).toEqual({ text: "BEGIN:VCALENDAR" });
  });
});

test.each([
  ...["127.0.0.1", "127.9.9.9", "0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255", "240.0.0.1"],
  ...[
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "fe80::1",
    "ff02::1",
    "fd00:ec2::254",
    "2002:7f00:1::",
  ],
  ...Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []),
])("%s is never asked, not even with private: true", async (address) => {
  const { asked, fetch } = aNetwork({ "calendar.example.com": [address] }, { [first]: ok() });
  expect(await fetch(first, true)).toEqual({ problem: own });
  expect(asked).toEqual([]);
});

test.each(["10.1.2.3", "172.31.0.1", "192.168.255.254", "100.100.100.200", "fd12::1", "64:ff9b::a01:203"])(
  "%s is asked only with private: true",
  async (address) => {
    const { asked, fetch } = aNetwork({ "calendar.example.com": [address] }, { [first]: ok() });
    expect(await fetch(first)).toEqual({ problem: isPrivate });
    expect(asked).toEqual([]);
    expect(await fetch(first, true)).toEqual({ text: "BEGIN:VCALENDAR" });
  },
);

test.each(["8.8.8.8", "172.32.0.1", "192.169.0.1", "100.128.0.1", "2606:4700::1111"])(
  "%s is asked",
  async (address) => {
    const { fetch } = aNetwork({ "calendar.example.com": [address] }, { [first]: ok() });
    expect(await fetch(first)).toEqual({ text: "BEGIN:VCALENDAR" });
  },
);

test.each([
  ["larger than 2 MB", new Response("x".repeat(2_000_001)), "it has more than 2 MB"],
  ["an error", new Response("hunter2", { status: 503 }), "the answer is 503"],
])("an answer that is %s is refused", async (_what, answer, problem) => {
  expect(await aNetwork(names, { [first]: answer }).fetch(first)).toEqual({ problem });
});

test("a request goes to the address that was checked, under the calendar's name", async () => {
  let hello = "";
  const server = createServer((socket) =>
    socket.once("data", (data) => {
      hello = data.toString("latin1");
      socket.destroy();
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const checked: readonly LookupAddress[] = [{ address: "127.0.0.1", family: 4 }];
  // The name does not exist, so whoever looked it up again would not get here.
  const asking = getFrom(new URL(`https://calendar.invalid:${port}/`), checked, AbortSignal.timeout(5000));
  await expect(asking).rejects.toThrow();
  expect(hello).toContain("calendar.invalid");
});
