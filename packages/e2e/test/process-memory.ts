import type { System } from "@canvass/dev-env";
import { readFileSync } from "node:fs";

const measured = ["gateway", "survey", "response"];

/** Current and peak resident memory of gateway, survey and response, in MiB. */
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
