import { serviceNames } from "@canvass/processes";
import type { System } from "@canvass/dev-env";

const ours = /^# TYPE ((?:canvass|http|rpc|db|nodejs_eventloop)_\w+) (\w+)$/gm;

/** Names and types of the metrics of a system's processes, one per line. */
export async function metricNames(system: Pick<System, "opsUrl">): Promise<string> {
  const texts = await Promise.all(
    ["gateway", ...serviceNames].map(async (name) => (await fetch(`${system.opsUrl(name)}/metrics`)).text()),
  );
  const lines = texts.flatMap((text) => [...text.matchAll(ours)].map(([, name, type]) => `${name} ${type}`));
  return `${[...new Set(lines)].sort().join("\n")}\n`;
}
