import { BlockList, isIP } from "node:net";
import { withoutPort } from "./client-address.ts";

/**
 * Gives whether somebody's `X-Forwarded-*` headers count, by their address, which may have a port: some proxies write
 * one. `list`: addresses and CIDRs, comma-separated. Throws for what is neither.
 */
export function trustedProxies(list: string): (address: string) => boolean {
  const proxies = new BlockList();
  for (const entry of list.split(",")) {
    const [, address = "", prefix] = /^([^/]+)(?:\/(\d+))?$/.exec(entry.trim()) ?? [];
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
    const length = Number(prefix ?? bits);
    if (length < 0 || length > bits) {
      throw new Error("the list holds what is neither an address nor a CIDR");
    }
    proxies.addSubnet(address, length, family(address));
  }
  return (given) => {
    const address = withoutPort(given);
    return isIP(address) !== 0 && proxies.check(address, family(address));
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

const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
