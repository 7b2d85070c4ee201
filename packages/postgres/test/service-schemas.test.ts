import { readdirSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { composeSchema } from "../src/migrations/compose-schema.ts";
import { writeMigration } from "../src/migrations/write-migration.ts";
import { createScratchDatabase } from "./scratch-database.ts";

const services = join(import.meta.dirname, "../../../services");

test.each(readdirSync(services))("the migrations of the %s service build its schema", async (service) => {
  await using resources = new AsyncDisposableStack();
  const scratch = resources.use(await createScratchDatabase({ migrated: false }));
  const migrationsDir = await mkdtemp(join(tmpdir(), "migrations-"));
  resources.defer(() => rm(migrationsDir, { recursive: true }));
  await cp(join(services, service, "prisma/migrations"), migrationsDir, { recursive: true });
  const schema = await composeSchema(join(services, service));
  const missing = await writeMigration({ scratchUrl: scratch.url, schema, migrationsDir, name: "x", now: new Date() });
  expect(missing && (await readFile(missing, "utf8"))).toBeUndefined();
});
