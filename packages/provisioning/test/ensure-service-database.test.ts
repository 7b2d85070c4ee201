import { Client } from "pg";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { ensureServiceDatabase } from "../src/ensure-service-database.ts";

let adminUrl: string;
beforeAll(async () => {
  adminUrl = await (await fetch(`${inject("testServerDoor")}/postgres`)).text();
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const unique = (name: string) => `${name}_${process.pid}_${performance.now().toString().replace(".", "")}`;

describe("ensureServiceDatabase", () => {
  test("eight at once make one database; its owner creates tables, the service reads and writes their rows", async () => {
    const name = unique("canvass_token");
    const service = { name, role: name, password: "p w/@:ü'\"" };
    const made = await Promise.all(Array.from({ length: 8 }, () => ensureServiceDatabase(adminUrl, service)));
    expect(new Set(made.map(({ url }) => url)).size).toBe(1);
    const { url, migrationUrl } = made[0]!;
    await query(migrationUrl, "CREATE TABLE mine (x bigserial, y int)");
    expect(await query(url, "INSERT INTO mine (y) VALUES (1) RETURNING x, current_user AS me")).toEqual([
      { x: "1", me: name },
    ]);
    const owned = "SELECT tableowner AS owner, current_setting('TimeZone') AS zone FROM pg_tables";
    expect(await query(migrationUrl, `${owned} WHERE tablename = 'mine'`)).toEqual([
      { owner: `${name}_owner`, zone: "UTC" },
    ]);
  });

  test("sorts text by its bytes, whatever the server does by itself", async () => {
    const name = unique("canvass_sorted");
    const { url } = await ensureServiceDatabase(adminUrl, { name, role: name, password: "x" });
    const provider = "SELECT datlocprovider AS provider, datlocale AS locale FROM pg_database WHERE datname";
    expect(await query(url, `${provider} = current_database()`)).toEqual([{ provider: "b", locale: "C.UTF-8" }]);
    expect(await query(url, "SELECT 'Z' < 'a' AS by_bytes, upper('ü') AS upper")).toEqual([
      { by_bytes: true, upper: "Ü" },
    ]);
  });

  test.each([
    "CREATE TABLE other (x int)",
    "TRUNCATE mine",
    "DROP TABLE mine",
    "ALTER TABLE mine ADD COLUMN z int",
    "ALTER TABLE mine DISABLE TRIGGER ALL",
    "CREATE TRIGGER t BEFORE INSERT ON mine EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "SET ROLE OWNER",
  ])("the service may not %s", async (statement) => {
    const name = unique("canvass_small");
    const { url, migrationUrl } = await ensureServiceDatabase(adminUrl, { name, role: name, password: "x" });
    await query(migrationUrl, "CREATE TABLE mine (x int)");
    const refused = query(url, statement.replace("OWNER", `${name}_owner`));
    await expect(refused).rejects.toThrow(/permission denied|must be owner/);
  });

  test("again keeps the data, takes the new password, and gives nothing back that a migration took away", async () => {
    const name = unique("canvass_again");
    const first = await ensureServiceDatabase(adminUrl, { name, role: name, password: "one" });
    await query(first.migrationUrl, "CREATE TABLE kept AS SELECT 1 AS x");
    await query(first.migrationUrl, `REVOKE UPDATE ON kept FROM ${name}`);
    const second = await ensureServiceDatabase(adminUrl, { name, role: name, password: "two" });
    expect(await query(second.url, "SELECT x FROM kept")).toEqual([{ x: 1 }]);
    await expect(query(second.url, "UPDATE kept SET x = 2")).rejects.toThrow("permission denied");
    await expect(query(first.url, "SELECT 1")).rejects.toThrow("password authentication failed");
  });

  test("a database whose tables the service owned is migrated to the new owner", async () => {
    const name = unique("canvass_old");
    await query(adminUrl, `CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
    await query(adminUrl, `CREATE DATABASE ${name} OWNER ${name}`);
    const old = new URL(adminUrl);
    [old.username, old.password, old.pathname] = [name, "x", `/${name}`];
    await query(old.href, "CREATE TABLE kept AS SELECT 1 AS x");
    const { url } = await ensureServiceDatabase(adminUrl, { name, role: name, password: "x" });
    await query(url, "UPDATE kept SET x = 2");
    expect(await query(url, "SELECT x FROM kept")).toEqual([{ x: 2 }]);
    await expect(query(url, "DROP TABLE kept")).rejects.toThrow("must be owner");
  });

  test("one service's role may not enter another's database", async () => {
    const [mine, theirs] = [unique("canvass_mine"), unique("canvass_theirs")];
    const url = new URL((await ensureServiceDatabase(adminUrl, { name: mine, role: mine, password: "x" })).url);
    await ensureServiceDatabase(adminUrl, { name: theirs, role: theirs, password: "y" });
    url.pathname = `/${theirs}`;
    await expect(query(url.href, "SELECT 1")).rejects.toThrow("permission denied for database");
  });

  test("a role without migrations makes its tables itself, also when an administrator is no superuser", async () => {
    const [admin, name] = [unique("hosted_admin"), unique("canvass_counts")];
    await query(adminUrl, `CREATE ROLE ${admin} LOGIN CREATEDB CREATEROLE PASSWORD 'a'`);
    const hosted = new URL(adminUrl);
    [hosted.username, hosted.password] = [admin, "a"];
    const service = { name, role: name, password: "b", makesTables: true };
    const { url } = await ensureServiceDatabase(hosted.href, service);
    await query(url, "CREATE UNLOGGED TABLE counts AS SELECT 1 AS x");
    await ensureServiceDatabase(hosted.href, service);
    await query(url, "UPDATE counts SET x = 2");
    expect(await query(url, "SELECT x FROM counts")).toEqual([{ x: 2 }]);
  });

  test("works for an administrator who is no superuser, as on a hosted server", async () => {
    const [admin, name] = [unique("hosted_admin"), unique("canvass_hosted")];
    await query(adminUrl, `CREATE ROLE ${admin} LOGIN CREATEDB CREATEROLE PASSWORD 'a'`);
    const hosted = new URL(adminUrl);
    [hosted.username, hosted.password] = [admin, "a"];
    const service = { name, role: name, password: "b" };
    await ensureServiceDatabase(hosted.href, service);
    const { url, migrationUrl } = await ensureServiceDatabase(hosted.href, service);
    await query(migrationUrl, "CREATE TABLE mine (x int)");
    await query(url, "INSERT INTO mine VALUES (1)");
    const owner = `SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = '${name}'`;
    expect(await query(url, owner)).toEqual([{ owner: `${name}_owner` }]);
  });

  test("the error is one sentence with the database's name", async () => {
    const wrong = new URL(adminUrl);
    wrong.password = "wrong";
    const attempt = ensureServiceDatabase(wrong.href, { name: "canvass_x", role: "canvass_x", password: "x" });
    await expect(attempt).rejects.toThrow(/^The database canvass_x cannot be set up: password authentication failed/);
  });
});

test("a migrator acts as the owner of its database, and has no access to others", async () => {
  const [name, other] = [unique("canvass_migrated"), unique("canvass_foreign")];
  const service = { name, role: name, password: "x", migratorPassword: "y" };
  const [{ migrationUrl }] = await Promise.all([
    ensureServiceDatabase(adminUrl, service),
    ensureServiceDatabase(adminUrl, service),
  ]);
  expect(new URL(migrationUrl)).toMatchObject({ username: `${name}_migrator`, password: "y" });
  await query(migrationUrl, "CREATE TABLE mine (x int)");
  const who = "SELECT tableowner AS owner, session_user AS login FROM pg_tables WHERE tablename = 'mine'";
  expect(await query(migrationUrl, who)).toEqual([{ owner: `${name}_owner`, login: `${name}_migrator` }]);
  await ensureServiceDatabase(adminUrl, { name: other, role: other, password: "x" });
  const elsewhere = new URL(migrationUrl);
  elsewhere.pathname = `/${other}`;
  await expect(query(elsewhere.href, "SELECT 1")).rejects.toThrow(/permission denied/);
  await expect(query(migrationUrl, "RESET ROLE; CREATE ROLE anybody")).rejects.toThrow(/permission denied/);
});
