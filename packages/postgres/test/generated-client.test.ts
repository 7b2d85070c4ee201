import { glob, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const clients = await Array.fromAsync(glob("services/*/gen/prisma/internal", { cwd: root }));

test.each(clients)("%s keeps the query compiler in a file, not as text in a module", async (client) => {
  const code = await readFile(join(root, client, "class.ts"), "utf8");
  expect(code.includes(".wasm-base64")).toBe(false);
  expect((await stat(join(root, client, "query-compiler.wasm"))).size).toBeGreaterThan(100_000);
});

test("every service with a database has a client", () => {
  expect(clients).toHaveLength(6);
});
