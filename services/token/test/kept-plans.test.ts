import { looseLookUps, recordHotStatements } from "@canvass/service/testing";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startTokenSystem } from "./token-system.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

test("hot statements find rows by whole keys soon after empty tables were filled", async () => {
  using hot = recordHotStatements();
  await using system = await startTokenSystem();
  const { tokenValue } = await system.createWorkspace();
  await system.authenticate(tokenValue);
  expect(hot.texts.size).toBe(1);
  expect(await looseLookUps(migrations, hot.texts)).toEqual([]);
});
