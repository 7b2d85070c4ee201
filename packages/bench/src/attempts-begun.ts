import type { BenchContext } from "./bench-context.ts";

/** Attempts of the delivery service since it began: sent as they were queued, and after a wait. */
export interface AttemptsBegun {
  new: number;
  waited: number;
}

export async function readAttemptsBegun(
  system: Pick<BenchContext["demo"]["system"], "opsUrl">,
): Promise<AttemptsBegun> {
  const metrics = await (await fetch(`${system.opsUrl("delivery")}/metrics`)).text();
  const of = (road: keyof AttemptsBegun) =>
    Number(
      new RegExp(`^canvass_delivery_begun_total\\{[^}]*road="${road}"[^}]*\\} (\\d+)`, "m").exec(metrics)?.[1] ?? 0,
    );
  return { new: of("new"), waited: of("waited") };
}
