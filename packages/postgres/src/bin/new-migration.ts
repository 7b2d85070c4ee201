#!/usr/bin/env node
// Usage, in a service's folder: DATABASE_URL=<scratch server> node new-migration.ts <name>
import { composeSchema } from "../migrations/compose-schema.ts";
import { writeMigration } from "../migrations/write-migration.ts";

const scratchUrl = process.env["DATABASE_URL"];
const name = process.argv[2];
if (scratchUrl === undefined || scratchUrl === "" || name === undefined || !/^[a-z0-9_]+$/.test(name)) {
  process.stderr.write("usage: DATABASE_URL=postgresql://… new-migration <name in snake_case>\n");
  process.exitCode = 2;
} else {
  try {
    const schema = await composeSchema(process.cwd());
    const file = await writeMigration({
      schema,
      migrationsDir: "prisma/migrations",
      scratchUrl,
      name,
      now: new Date(),
    });
    process.stdout.write(file === undefined ? "the schema and the migrations agree\n" : `wrote ${file}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
