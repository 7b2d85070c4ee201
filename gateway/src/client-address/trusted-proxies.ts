import ipaddr from "ipaddr.js";
import { isIP } from "node:net";
import { readAddress } from "./client-address.ts";

/**
 * Makes a test of addresses, for Fastify's `trustProxy`: it returns true for those in `list`, which contains addresses
 * and CIDRs, separated by commas. Throws if the list contains anything else.
 */
export function proxyMatcher(list: string): (address: string) => boolean {
  const proxies = list.split(",").map((entry) => readBlock(entry.trim()));
  return (given) => {
    const address = readAddress(given);
    return address !== undefined && ipaddr.subnetMatch(address, { proxies }, "others") === "proxies";
  };
}

export function isProxyList(list: string): boolean {
  try {
    proxyMatcher(list);
    return true;
  } catch {
    return false;
  }
}

function readBlock(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address = ""] = entry.split("/");
  // ipaddr.js also accepts short, octal and hexadecimal forms, which are mistakes here.
  const cidr = entry === address ? `${entry}/${isIP(entry) === 6 ? 128 : 32}` : entry;
  if (!isIP(address) || !ipaddr.isValidCIDR(cidr)) {
    throw new Error("the list holds what is neither an address nor a CIDR");
  }
  const [network, bits] = ipaddr.parseCIDR(cidr);
  // IPv4-mapped IPv6 addresses are compared as IPv4, so their blocks must be IPv4, too.
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
}
