import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "../src/migrations/migrate.ts";
import { writeMigration } from "../src/migrations/write-migration.ts";
import { createScratchDatabase, FIXTURE_MIGRATIONS } from "./scratch-database.ts";
import type { ScratchDatabase } from "./scratch-database.ts";

const PROGRAM = join(import.meta.dirname, "../src/bin/migrate.ts");
let folder: string;
let scratch: ScratchDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "migrate-test-"));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  scratch = await createScratchDatabase({ migrated: false });
  return () => scratch[Symbol.asyncDispose]();
});

async function migrations(scripts: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(join(folder, "migrations-"));
  for (const [name, script] of Object.entries(scripts)) {
    await mkdir(join(dir, name));
    await writeFile(join(dir, name, "migration.sql"), script);
  }
  return dir;
}

async function runProgram(migrationsDir: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [PROGRAM, migrationsDir], {
    env: { ...process.env, DATABASE_URL: scratch.url },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

const applied = () =>
  scratch.query(
    "SELECT migration_name AS name, applied_steps_count AS steps, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY started_at",
  );
const indexes = () =>
  scratch.query(
    "SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = 'a'::regclass",
  );
const tableExists = async (name: string) =>
  (await scratch.query("SELECT to_regclass($1) IS NOT NULL AS found", [name]))[0];

describe("migrate", () => {
  test("applies missing migrations in order, and writes Prisma's own record", async () => {
    const dir = await migrations({ "2_second": "CREATE INDEX i ON a (x);", "1_first": "CREATE TABLE a (x int);" });
    expect(await migrate({ url: scratch.url, migrationsDir: dir })).toEqual(["1_first", "2_second"]);
    expect(await applied()).toEqual([
      { name: "1_first", steps: 1, finished: true },
      { name: "2_second", steps: 1, finished: true },
    ]);
    expect(await migrate({ url: scratch.url, migrationsDir: dir })).toEqual([]);
    await mkdir(join(dir, "3_third"));
    await writeFile(join(dir, "3_third", "migration.sql"), "CREATE TABLE c (x int);");
    expect(await migrate({ url: scratch.url, migrationsDir: dir })).toEqual(["3_third"]);
  });

  test("takes scripts whole: semicolons in texts and function bodies are not ends of statements", async () => {
    const script = `CREATE TABLE a (x text DEFAULT 'one;two');
      -- a comment; with one too
      CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;`;
    await migrate({ url: scratch.url, migrationsDir: await migrations({ "1_first": script }) });
    expect(await scratch.query("SELECT f() AS one")).toEqual([{ one: 1 }]);
  });

  test("a failing migration changes nothing, is named in the error, and runs once it is corrected", async () => {
    const scripts = { "1_good": "CREATE TABLE good (x int);", "2_bad": "CREATE TABLE half (x int); SELECT broken();" };
    const dir = await migrations(scripts);
    const failing = migrate({ url: scratch.url, migrationsDir: dir });
    await expect(failing).rejects.toThrow(/^The migration 2_bad failed: function broken\(\) does not exist/);
    expect(await tableExists("half")).toEqual({ found: false });
    expect(await applied()).toEqual([{ name: "1_good", steps: 1, finished: true }]);
    await writeFile(join(dir, "2_bad", "migration.sql"), "CREATE TABLE half (x int);");
    expect(await migrate({ url: scratch.url, migrationsDir: dir })).toEqual(["2_bad"]);
  });

  test("refuses a migration that was edited after it had been applied", async () => {
    const dir = await migrations({ "1_first": "CREATE TABLE a (x int);" });
    await migrate({ url: scratch.url, migrationsDir: dir });
    await writeFile(join(dir, "1_first", "migration.sql"), "CREATE TABLE b (x int);");
    await expect(migrate({ url: scratch.url, migrationsDir: dir })).rejects.toThrow("1_first was edited");
  });

  test("a database that is ahead of an older version's folder is left alone", async () => {
    const dir = await migrations({ "1_first": "CREATE TABLE a (x int);", "2_second": "CREATE TABLE b (x int);" });
    await migrate({ url: scratch.url, migrationsDir: dir });
    await rm(join(dir, "2_second"), { recursive: true });
    expect(await migrate({ url: scratch.url, migrationsDir: dir })).toEqual([]);
  });

  test("five processes at once: each migration runs once, all succeed, and an index is built concurrently", async () => {
    const dir = await migrations({
      "1_first": "CREATE TABLE a (x int); SELECT pg_sleep(0.3); INSERT INTO a VALUES (1);",
      "2_second": "CREATE INDEX CONCURRENTLY i ON a (x);",
    });
    const runs = await Promise.all(Array.from({ length: 5 }, () => runProgram(dir)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(runs.filter(({ output }) => output.includes("applied 1_first, 2_second"))).toHaveLength(1);
    expect(runs.filter(({ output }) => output.includes("up to date"))).toHaveLength(4);
    expect(await scratch.query("SELECT x FROM a")).toEqual([{ x: 1 }]);
    expect(await scratch.query("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'i'::regclass")).toEqual([
      { valid: true },
    ]);
  });

  test.each([
    ["SIGKILL", [null, "SIGKILL"]],
    ["SIGTERM", [143, null]],
    ["SIGINT", [130, null]],
  ] as const)(
    "%s in the middle of a migration rolls it back at once, and the next run starts it afresh",
    async (signal, end) => {
      const slow = "CREATE TABLE a (x int); SELECT pg_sleep(300);";
      const dir = await migrations({ "1_slow": slow });
      const child = spawn(process.execPath, [PROGRAM, dir], { env: { ...process.env, DATABASE_URL: scratch.url } });
      const sleeping = () =>
        scratch.query("SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()");
      await expect.poll(sleeping).toHaveLength(1);
      child.kill(signal);
      expect(await once(child, "exit")).toEqual(end);
      await expect.poll(sleeping).toHaveLength(0);
      expect(await tableExists("a")).toEqual({ found: false });
      await writeFile(join(dir, "1_slow", "migration.sql"), "CREATE TABLE a (x int);");
      expect(await migrate({ url: scratch.url, migrationsDir: dir })).toEqual(["1_slow"]);
    },
  );

  test("an index that was being built concurrently when the process was killed is built by the next run", async () => {
    const dir = await migrations({ "1_first": "CREATE TABLE a (x int);" });
    await migrate({ url: scratch.url, migrationsDir: dir });
    await mkdir(join(dir, "2_second"));
    const script = '-- CONCURRENTLY: rows come meanwhile.\nCREATE UNIQUE INDEX CONCURRENTLY "a_x" ON "a"("x");';
    await writeFile(join(dir, "2_second", "migration.sql"), script);
    const writer = new Client({ connectionString: scratch.url });
    await writer.connect();
    await writer.query("BEGIN; INSERT INTO a VALUES (1)");
    const child = spawn(process.execPath, [PROGRAM, dir], { env: { ...process.env, DATABASE_URL: scratch.url } });
    const building = () =>
      scratch.query(
        "SELECT pid FROM pg_stat_activity WHERE query LIKE '%INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'",
      );
    await expect.poll(building).toHaveLength(1);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect.poll(building).toHaveLength(0);
    expect(await indexes()).toEqual([{ name: "a_x", valid: false }]);
    await writer.query("COMMIT");
    await writer.end();
    expect(await migrate({ url: scratch.url, migrationsDir: dir })).toEqual(["2_second"]);
    expect(await indexes()).toEqual([{ name: "a_x", valid: true }]);
    expect(await migrate({ url: scratch.url, migrationsDir: dir })).toEqual([]);
  });

  test.each(["DROP INDEX CONCURRENTLY i;", "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON a (x);"])(
    "%s cannot be started again after a kill, so it is refused",
    async (script) => {
      const dir = await migrations({
        "1_first": "CREATE TABLE a (x int); CREATE INDEX i ON a (x);",
        "2_second": script,
      });
      const refused = "2_second failed: with CONCURRENTLY it must be";
      await expect(migrate({ url: scratch.url, migrationsDir: dir })).rejects.toThrow(refused);
    },
  );

  test("the program prints the error in one line", async () => {
    const missing = await runProgram(join(folder, "nowhere"));
    expect(missing.code).toBe(1);
    expect(missing.output).toMatch(/^The migrations folder .*nowhere cannot be read: .*\n$/);
  });
});

describe("writeMigration", () => {
  const schema = readFileSync(join(import.meta.dirname, "fixture/prisma/schema.prisma"), "utf8");
  const now = new Date("2030-07-08T09:10:11.000Z");

  test("the fixture's migrations build its schema", async () => {
    const options = { scratchUrl: scratch.url, schema, name: "more", now };
    expect(await writeMigration({ ...options, migrationsDir: FIXTURE_MIGRATIONS })).toBeUndefined();
  });

  test("writes the difference as a migration that applies, and leaves no shadow database behind", async () => {
    const migrationsDir = join(folder, "written");
    await cp(FIXTURE_MIGRATIONS, migrationsDir, { recursive: true });
    const changed = schema.replace('@@map("tallies")', 'note String?\n@@index([workspaceId, note])\n@@map("tallies")');
    const file = await writeMigration({
      scratchUrl: scratch.url,
      schema: changed,
      migrationsDir,
      name: "add_note",
      now,
    });
    expect(file).toBe(join(migrationsDir, "20300708091011_add_note", "migration.sql"));
    expect(await readFile(file ?? "", "utf8")).toContain('ALTER TABLE "tallies" ADD COLUMN     "note" TEXT;');
    expect(await migrate({ url: scratch.url, migrationsDir })).toContain("20300708091011_add_note");
    expect(await scratch.query("SELECT datname FROM pg_database WHERE datname LIKE 'canvass_shadow%'")).toEqual([]);
  });

  test("refuses a schema that cannot be read", async () => {
    const writing = writeMigration({
      scratchUrl: scratch.url,
      schema: "model Broken {",
      migrationsDir: join(folder, "none"),
      name: "x",
      now,
    });
    await expect(writing).rejects.toThrow("No migration could be written");
  });
});
