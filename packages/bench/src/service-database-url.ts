import type { BenchContext } from "./bench-context.ts";

/** Returns the URL of a service's database, for the administrator of the databases. */
export function serviceDatabaseUrl(
  { system }: BenchContext["demo"],
  service: "delivery" | "distribution" | "response",
): string {
  const url = new URL(system.local.databaseUrl);
  url.pathname = `/canvass_${service}`;
  return url.href;
}
