import { WORKSPACE_ROOT, type ProcessDefinition } from "@canvass/processes";
import type { Settings } from "@canvass/telemetry";
import { dirname, join } from "node:path";

/** What the `config.ts` of a process declares. */
export async function settingsOf({ main }: Pick<ProcessDefinition, "main">): Promise<Settings<unknown>> {
  const path = join(WORKSPACE_ROOT, dirname(dirname(main)), "src/config.ts");
  const config = (await import(path)) as Record<string, unknown>;
  return Object.entries(config).find(([name]) => name.endsWith("Settings"))![1] as Settings<unknown>;
}
