import { createConcurrencyLimit, type ConcurrencyLimit } from "@canvass/fairness";

/** The attempts that may be in flight to one endpoint. One that hangs soon holds few connections. */
export function createEndpointLimit(max: number): ConcurrencyLimit {
  return createConcurrencyLimit({ initial: 10, min: 2, max, quickMs: 1000, slowMs: 3000 });
}
