import type { System } from "@canvass/dev-env";
import { readFileSync } from "node:fs";
import { request } from "undici";

const measured = ["gateway", "survey", "response"];

/** The longest a process held its own event loop, in seconds, by its name. */
export async function loopHolds(system: System): Promise<Record<string, number>> {
  const entries = measured.map(async (name) => {
    const { body } = await request(`${system.opsUrl(name)}/metrics`);
    const longest = /^nodejs_eventloop_hold_longest_seconds(?:\{.*?\})? (.+)$/m.exec(await body.text());
    return [name, Number(longest?.[1])] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Resident memory of a process now and at its peak, in MiB, by its name. */
export function memoryOf(system: System): Record<string, { now: number; peak: number }> {
  const processes = system.local.processes.filter(({ name }) => measured.includes(name));
  return Object.fromEntries(
    processes.map(({ name, pid }) => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const mebi = (field: string) =>
        Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)![1]) / 1024);
      return [name, { now: mebi("VmRSS"), peak: mebi("VmHWM") }];
    }),
  );
}
