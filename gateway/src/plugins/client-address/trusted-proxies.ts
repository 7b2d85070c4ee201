import ipaddr from "ipaddr.js";
import { isIP } from "node:net";
import { readAddress } from "./client-address.ts";

/**
 * For Fastify's `trustProxy`: whether somebody's `X-Forwarded-*` headers count, by their address. `list`: addresses and
 * CIDRs, comma-separated. Throws for what is neither.
 */
export function trustedProxies(list: string): (address: string) => boolean {
  const proxies = list.split(",").map((entry) => readBlock(entry.trim()));
  return (given) => {
    const address = readAddress(given);
    return address !== undefined && ipaddr.subnetMatch(address, { proxies }, "others") === "proxies";
  };
}

/** Whether a list is one that `trustedProxies` takes. */
export function listsProxies(list: string): boolean {
  try {
    trustedProxies(list);
    return true;
  } catch {
    return false;
  }
}

function readBlock(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address = ""] = entry.split("/");
  // The parser reads short, octal and hexadecimal forms, too, which nobody writes on purpose.
  const cidr = entry === address ? `${entry}/${isIP(entry) === 6 ? 128 : 32}` : entry;
  if (!isIP(address) || !ipaddr.isValidCIDR(cidr)) {
    throw new Error("the list holds what is neither an address nor a CIDR");
  }
  const [network, bits] = ipaddr.parseCIDR(cidr);
  // Callers' IPv4 addresses inside IPv6 ones are read as the former, so blocks of them are, too.
  const isInside = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96;
  return isInside ? [network.toIPv4Address(), bits - 96] : [network, bits];
}
