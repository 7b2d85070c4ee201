import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** Rejects if the name has no address, or name servers do not respond in time. */
export type ResolveHost = (host: string, timeoutMs: number) => Promise<string[]>;

/** Reads the hosts file, then asks name servers. `getaddrinfo` has few threads, which slow name servers would block. */
export function createResolveHost(nameServers?: readonly string[]): ResolveHost {
  return async (host, timeoutMs) => {
    const listed = await addressesInHostsFile(host);
    return listed.length > 0 ? listed : askNameServers(host, timeoutMs, nameServers);
  };
}

async function addressesInHostsFile(host: string): Promise<string[]> {
  const text = await readFile("/etc/hosts", "utf8").catch(() => "");
  return addressesOf(host, text);
}

export function addressesOf(host: string, hostsText: string): string[] {
  const wanted = host.toLowerCase();
  return hostsText.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
}

async function askNameServers(host: string, timeoutMs: number, nameServers?: readonly string[]): Promise<string[]> {
  // Each lookup has its own resolver: it can be cancelled alone and reads a changed resolv.conf.
  const resolver = new Resolver({ timeout: Math.min(timeoutMs, 2000), tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw answers.find((answer) => answer.status === "rejected")?.reason ?? new Error(`${host} has no address`);
  } finally {
    clearTimeout(timer);
  }
}
