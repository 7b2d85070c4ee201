import type { BenchContext } from "./bench-context.ts";

/** Delivery attempts since the delivery service started: `new` were sent when queued, `waited` after a wait. */
export interface AttemptsBegun {
  new: number;
  waited: number;
}

export async function readAttemptsBegun(
  system: Pick<BenchContext["demo"]["system"], "opsUrl">,
): Promise<AttemptsBegun> {
  const metrics = await (await fetch(`${system.opsUrl("delivery")}/metrics`)).text();
  const of = (origin: keyof AttemptsBegun) =>
    Number(
      new RegExp(`^canvass_delivery_begun_total\\{[^}]*origin="${origin}"[^}]*\\} (\\d+)`, "m").exec(metrics)?.[1] ?? 0,
    );
  return { new: of("new"), waited: of("waited") };
}
