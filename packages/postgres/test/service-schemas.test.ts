import { readdirSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { composeSchema } from "../src/migrations/compose-schema.ts";
import { writeMigration } from "../src/migrations/write-migration.ts";
import { createScratchDatabase } from "./scratch-database.ts";

const root = join(import.meta.dirname, "../../..");
const services = readdirSync(join(root, "services")).map((service) => `services/${service}`);

test.each([...services, "packages/jobs/test/fixture"])("the migrations of %s build its schema", async (name) => {
  const folder = join(root, name);
  await using resources = new AsyncDisposableStack();
  const scratch = resources.use(await createScratchDatabase({ migrated: false }));
  const migrationsDir = await mkdtemp(join(tmpdir(), "migrations-"));
  resources.defer(() => rm(migrationsDir, { recursive: true }));
  await cp(join(folder, "prisma/migrations"), migrationsDir, { recursive: true });
  const schema = await composeSchema(folder);
  const missing = await writeMigration({ scratchUrl: scratch.url, schema, migrationsDir, name: "x", now: new Date() });
  expect(missing && (await readFile(missing, "utf8"))).toBeUndefined();
});
