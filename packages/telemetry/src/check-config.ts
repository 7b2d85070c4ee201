import { ConfigError } from "./config-error.ts";
import type { Settings } from "./define-settings.ts";

/** EX_CONFIG of sysexits.h: a restart would fail again. */
export const MISCONFIGURED = 78;

/** Prints each fault of the settings on its own line, or that they are complete. Returns the process's exit status. */
export function checkConfig(
  { read }: Pick<Settings<unknown>, "read">,
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
): number {
  try {
    read(environment);
    print("The settings are complete.");
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const violation of error.violations) print(violation);
    return MISCONFIGURED;
  }
}
