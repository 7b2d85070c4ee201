import { expect, test } from "vitest";
import { readLaunchConfig } from "./config.ts";
import { usageFor } from "./usage.ts";

test("no argument starts the system, and --help explains how", () => {
  expect(usageFor([])).toBeUndefined();
  for (const argument of ["--help", "-h"]) expect(usageFor([argument])).toContain("npx -y pnpm@12 start");
});

test("the usage names the settings with their defaults", () => {
  const usage = usageFor(["--help"])!;
  const { port, dataDir, shownLevel } = readLaunchConfig({});
  for (const shown of [port, dataDir, shownLevel]) expect(usage).toContain(String(shown));
});

test.each(["--port=1", "now"])("the argument %j starts nothing", (argument) => {
  expect(() => usageFor([argument])).toThrow(/takes none; see pnpm start --help\.$/);
});
