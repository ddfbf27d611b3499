import { BlockList, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

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
export function whyNotFrom(address: string, isPrivateAllowed: boolean): string | undefined {
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
