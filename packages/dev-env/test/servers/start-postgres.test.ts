import { once } from "node:events";
import { execFile, spawn } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isAlive } from "../../src/processes/process-info.ts";
import { startPostgres, type PostgresServer } from "../../src/servers/postgres/start-postgres.ts";

const MODULE = join(import.meta.dirname, "../../src/servers/postgres/start-postgres.ts");
let folder: string;
let dataDir: string;
beforeEach(async () => {
  // mkdtemp makes a directory closed to others, like a checkout below /root.
  folder = await mkdtemp(join(tmpdir(), "start-postgres-"));
  dataDir = join(folder, "deep", "data");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (port = 0) => startPostgres({ dataDir, port });

/** A directory that a server has made. Making one takes longer than most of these tests. */
let made: string;
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), "start-postgres-made-"));
  await (await startPostgres({ dataDir: join(made, "data") }))[Symbol.asyncDispose]();
});
afterAll(() => rm(made, { recursive: true, force: true }));

async function copyTo(directory: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true });
  // `-p` keeps the owner: the server runs as that user.
  await promisify(execFile)("cp", ["-Rp", join(made, "data"), directory]);
}

async function startOnCopy(): Promise<PostgresServer> {
  await copyTo(dataDir);
  return start();
}

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end().catch(() => {});
  }
}

describe("startPostgres", () => {
  test("keeps its data over a restart, on another port, with the same password", async () => {
    {
      await using server = await start();
      await query(server.url, "CREATE TABLE kept AS SELECT 7 AS x");
    }
    await using again = await start();
    expect(await query(again.url, "SELECT x FROM kept")).toEqual([{ x: 7 }]);
  });

  test("commits are durable, it listens on loopback only, and requires the password", async () => {
    await using server = await start();
    const settings = `SELECT current_setting('fsync') || current_setting('synchronous_commit') || current_setting('full_page_writes') AS durable,
      current_setting('listen_addresses') AS address, current_setting('unix_socket_directories') AS sockets, current_setting('max_connections') AS connections`;
    const expected = { durable: "ononon", address: "127.0.0.1", sockets: "", connections: "200" };
    expect(await query(server.url, settings)).toEqual([expected]);
    const stranger = new URL(server.url);
    stranger.password = "guess";
    await expect(query(stranger.href, "SELECT 1")).rejects.toThrow("password authentication failed");
    const { mode } = await stat(join(dataDir, "superuser-password"));
    expect((mode & 0o777).toString(8)).toBe("600");
    expect(((await stat(dataDir)).mode & 0o077).toString(8)).toBe("0");
  });

  test("disposing ends it despite open connections and leaves a clean directory", async () => {
    const server = await startOnCopy();
    const client = new Client({ connectionString: server.url });
    client.on("error", () => {});
    await client.connect();
    const sleeping = client.query("SELECT pg_sleep(60)").catch((error: Error) => error.message);
    await server[Symbol.asyncDispose]();
    await server.exited;
    expect(isAlive(server.pid)).toBe(false);
    expect(await sleeping).toMatch(/terminat/i);
    await expect(access(join(dataDir, "postmaster.pid"))).rejects.toThrow("ENOENT");
  });

  test("after kill -9 of the server with work under way, it starts again and has every commit", async () => {
    const server = await startOnCopy();
    await query(server.url, "CREATE TABLE counted (x int)");
    const busy = Array.from({ length: 4 }, () => query(server.url, "SELECT pg_sleep(60)").catch(() => {}));
    for (let x = 1; x <= 20; x++) await query(server.url, `INSERT INTO counted VALUES (${x})`);
    process.kill(server.pid, "SIGKILL");
    await server.exited;
    await access(join(dataDir, "postmaster.pid"));
    await using again = await start();
    expect(await query(again.url, "SELECT count(*)::int4 AS n FROM counted")).toEqual([{ n: 20 }]);
    await Promise.all(busy);
  });

  test("a postmaster.pid whose number now belongs to another program does not keep it from starting", async () => {
    await copyTo(dataDir);
    await writeFile(
      join(dataDir, "postmaster.pid"),
      `${process.pid}\n${dataDir}\n1700000000\n5432\n\n127.0.0.1\n  1234567    123456\nready   \n`,
    );
    await using server = await start();
    expect(await query(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a second server on the same directory is refused with the first one's process id", async () => {
    await using server = await startOnCopy();
    await expect(start()).rejects.toThrow(
      `Another PostgreSQL server (process ${server.pid}) is using ${dataDir}. Stop it first.`,
    );
    expect(await query(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a server whose starter was killed is stopped by the next start", async () => {
    await copyTo(dataDir);
    const program = `import { startPostgres } from ${JSON.stringify(MODULE)};
      const server = await startPostgres({ dataDir: process.argv[1] });
      process.stdout.write(String(server.pid)); setInterval(() => {}, 1000);`;
    const launcher = spawn(process.execPath, ["--input-type=module", "-e", program, dataDir]);
    const [pid] = (await once(launcher.stdout, "data")) as [Buffer];
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    await using again = await start();
    expect(isAlive(Number(pid))).toBe(false);
    expect(again.pid).not.toBe(Number(pid));
  });

  test("a taken port is named", async () => {
    await copyTo(dataDir);
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(start(port)).rejects.toThrow(`Port ${port} for PostgreSQL is taken by another program.`);
    other.close();
  });

  test("a directory with something else in it is left alone", async () => {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, "letter.txt"), "dear reader");
    await expect(start()).rejects.toThrow(`${dataDir} is not a PostgreSQL data directory`);
    expect(await readFile(join(dataDir, "letter.txt"), "utf8")).toBe("dear reader");
  });

  test("a data directory of another version is named", async () => {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, "PG_VERSION"), "15\n");
    await expect(start()).rejects.toThrow("was made by PostgreSQL 15, but this is PostgreSQL 18");
  });

  test("a broken data directory gives one sentence, not a log", async () => {
    await copyTo(dataDir);
    await writeFile(join(dataDir, "global", "pg_control"), "");
    const error = await start().catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(/^PostgreSQL could not start on .*pg_control.*$/);
  });

  test("a failed write is named when the data directory is made", async () => {
    const program = `import { startPostgres } from ${JSON.stringify(MODULE)};
      await startPostgres({ dataDir: process.argv[1] }).catch(({ message }) => process.stdout.write(message));`;
    // Files of 100 KB at most: writing the log of transactions fails as on a full disk.
    const words = ["-c", `ulimit -f 200 && exec "$@"`, "sh", process.execPath, "--input-type=module", "-e", program];
    const { stdout } = await promisify(execFile)("/bin/sh", [...words, dataDir]);
    expect(stdout).toMatch(/^PostgreSQL could not create its data directory \S+: could not write to file .*: File too/);
    expect(await readdir(join(folder, "deep"))).toEqual([]);
  });

  test("without a build of PostgreSQL the error names an alternative", async () => {
    const arch = Object.getOwnPropertyDescriptor(process, "arch");
    Object.defineProperty(process, "arch", { ...arch, value: "sparc" });
    const starting = start();
    Object.defineProperty(process, "arch", { ...arch });
    await expect(starting).rejects.toThrow(/^The PostgreSQL programs .*-sparc\) are not installed .* Set DATABASE_URL/);
  });

  test("an interrupted first start is repeated from the start", async () => {
    await mkdir(`${dataDir}.new`, { recursive: true });
    await writeFile(join(`${dataDir}.new`, "PG_VERSION"), "18\n");
    await using server = await start();
    expect(server.port).toBeGreaterThan(0);
    expect(await readdir(join(folder, "deep"))).toEqual(["data"]);
  });

  test("two run at once, on free ports and separate directories", async () => {
    const options = [join(folder, "one"), join(folder, "two")].map((path) => ({ dataDir: path }));
    for (const option of options) await copyTo(option.dataDir);
    const servers = await Promise.all(options.map((option) => startPostgres(option)));
    expect(new Set(servers.map(({ port }) => port)).size).toBe(2);
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  });
});
