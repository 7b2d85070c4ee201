import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, testPostgresUrl } from "../src/index.ts";

let folder: string;
let migrationsDir: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "create-test-database-"));
  migrationsDir = join(folder, "migrations");
  await mkdir(join(migrationsDir, "1_first"), { recursive: true });
  // The random name in the SQL makes these migrations unique, so that this run gets its own template.
  await writeFile(join(migrationsDir, "1_first", "migration.sql"), `CREATE TABLE a (x text DEFAULT '${folder}');`);
});
afterAll(() => rm(folder, { recursive: true }));

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

const countTemplates = async () =>
  (await query<{ datname: string }>(await testPostgresUrl(), "SELECT datname FROM pg_database WHERE datistemplate"))
    .length;

describe("createTestDatabase", () => {
  test("ten at once share one template and nothing else", async () => {
    const before = await countTemplates();
    const databases = await Promise.all(Array.from({ length: 10 }, () => createTestDatabase(migrationsDir)));
    expect(new Set(databases.map(({ url }) => url)).size).toBe(10);
    expect(await countTemplates()).toBe(before + 1);
    await query(databases[0]?.url ?? "", "INSERT INTO a DEFAULT VALUES");
    const counts = await Promise.all(databases.map(({ url }) => query(url, "SELECT count(*)::int4 AS n FROM a")));
    expect(counts.flat()).toEqual([{ n: 1 }, ...Array.from({ length: 9 }, () => ({ n: 0 }))]);
    await Promise.all(databases.map((database) => database[Symbol.asyncDispose]()));
  });

  test("a changed folder gets a new template", async () => {
    const changed = join(folder, "changed");
    await cp(migrationsDir, changed, { recursive: true });
    await mkdir(join(changed, "2_second"));
    await writeFile(join(changed, "2_second", "migration.sql"), "CREATE TABLE b (x int);");
    await using database = await createTestDatabase(changed);
    expect(await query(database.url, "SELECT x FROM b")).toEqual([]);
  });

  test("a failed migration is reported and leaves no template", async () => {
    const broken = join(folder, "broken");
    await mkdir(join(broken, "1_first"), { recursive: true });
    await writeFile(join(broken, "1_first", "migration.sql"), "SELECT nonsense;");
    await expect(createTestDatabase(broken)).rejects.toThrow("1_first failed");
    await expect(createTestDatabase(broken)).rejects.toThrow("1_first failed");
  });

  test("disposing drops the database in spite of open connections", async () => {
    const database = await createTestDatabase(migrationsDir);
    const client = new Client({ connectionString: database.url });
    client.on("error", () => {});
    await client.connect();
    await database[Symbol.asyncDispose]();
    await expect(query(database.url, "SELECT 1")).rejects.toThrow("does not exist");
    await client.end().catch(() => {});
  });
});
