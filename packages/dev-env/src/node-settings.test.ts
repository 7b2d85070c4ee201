import { PROCESSES } from "@canvass/processes";
import { expect, test } from "vitest";
import { nodeEnvironment } from "./node-settings.ts";

test("no two processes write their compiled modules into one folder, for which they would wait when all stop", () => {
  const names = ["launcher", ...PROCESSES.map(({ name }) => name)];
  const folders = names.map((name) => nodeEnvironment(name)["NODE_COMPILE_CACHE"]);
  expect(new Set(folders).size).toBe(names.length);
});
