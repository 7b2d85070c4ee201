#!/usr/bin/env node
// Usage: DATABASE_URL=postgresql://… node migrate.ts <migrations folder>
import { migrate } from "../migrations/migrate.ts";

// As process 1 of a container, Node ignores signals without a listener. Exiting rolls back and frees the lock.
for (const [name, code] of [
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)
  process.on(name, () => process.exit(code));

const url = process.env["DATABASE_URL"];
const migrationsDir = process.argv[2];
if (url === undefined || url === "" || migrationsDir === undefined) {
  process.stderr.write("usage: DATABASE_URL=postgresql://… migrate <migrations folder>\n");
  process.exitCode = 2;
} else {
  try {
    const applied = await migrate({ url, migrationsDir });
    process.stdout.write(applied.length === 0 ? "the database is up to date\n" : `applied ${applied.join(", ")}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
