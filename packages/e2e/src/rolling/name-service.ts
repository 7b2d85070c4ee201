import dns, { type LookupAddress } from "node:dns";
import { readFileSync } from "node:fs";

/**
 * Loaded into a process before its program (`--import`). Its calls go to names that resolve to every ready replica, as
 * headless Services of Kubernetes do. The file CANVASS_REPLICA_ADDRESSES holds the addresses by service.
 */
const suffix = ".replicas.test";
const file = process.env["CANVASS_REPLICA_ADDRESSES"]!;

for (const [variable, value] of Object.entries(process.env)) {
  const [, service] = /^CANVASS_(TOKEN|SURVEY|RESPONSE|DISTRIBUTION|WEBHOOK|DELIVERY)_URL$/.exec(variable) ?? [];
  if (service) process.env[variable] = value!.replace("127.0.0.1", `${service.toLowerCase()}${suffix}`);
}

const lookup = dns.promises.lookup as (hostname: string, options: object) => Promise<unknown>;

// Returns all addresses, as the RPC client asks.
dns.promises.lookup = (async (hostname: string, options: object) => {
  if (!hostname.endsWith(suffix)) return lookup(hostname, options);
  const addresses = JSON.parse(readFileSync(file, "utf8")) as Record<string, string[]>;
  const found = addresses[hostname.slice(0, -suffix.length)] ?? [];
  if (found.length === 0) throw Object.assign(new Error(`no address of ${hostname}`), { code: "ENOTFOUND" });
  return found.map((address): LookupAddress => ({ address, family: 4 }));
}) as typeof dns.promises.lookup;
