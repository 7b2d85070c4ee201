import { serviceNames } from "@canvass/processes";
import type { ServiceClients } from "./service-clients.ts";

export type CheckResult = "ok" | "unavailable";

export interface HealthReport {
  /** `degraded`: requests work, events are late. `unavailable`: a service or a database is missing. */
  status: "ok" | "degraded" | "unavailable";
  /** Keys: the name of each service, `database`, and `broker` when a bus is configured. */
  checks: Record<string, CheckResult>;
}

export interface HealthOptions {
  clients: ServiceClients;
  brokerConnected?: (() => boolean) | undefined;
  now: () => Date;
}

const cachedMs = 1_000;
const timeoutMs = 1_000;

/** Uses the connections of requests, so that a service whose requests fail counts as missing. Caches for a second. */
export function healthReporter(options: HealthOptions): () => Promise<HealthReport> {
  let last: { report: Promise<HealthReport>; at: number } | undefined;
  return () => {
    const at = options.now().getTime();
    // After the clock was set back, a report of the future would be repeated for too long.
    if (!last || at < last.at || at - last.at >= cachedMs) last = { report: reportHealth(options), at };
    return last.report;
  };
}

async function reportHealth({ clients: { targets }, brokerConnected }: HealthOptions): Promise<HealthReport> {
  const healths = await Promise.all(serviceNames.map((name) => targets[name].health(timeoutMs)));
  const checks: Record<string, CheckResult> = {};
  serviceNames.forEach((name, index) => (checks[name] = result(healths[index] === "serving")));
  // A reachable service stops serving only when its database is missing.
  checks["database"] = result(!healths.includes("not_serving"));
  const serving = Object.values(checks).every((each) => each === "ok");
  if (brokerConnected) checks["broker"] = result(brokerConnected());
  return { status: serving ? (checks["broker"] === "unavailable" ? "degraded" : "ok") : "unavailable", checks };
}

const result = (fine: boolean): CheckResult => (fine ? "ok" : "unavailable");
