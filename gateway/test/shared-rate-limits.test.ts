import { startTlsDoor, testPostgresUrl, waitFor } from "@canvass/testing";
import { testCertificates } from "@canvass/testing/certificates";
import { randomBytes, X509Certificate } from "node:crypto";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { Client } from "pg";
import { expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

const tokenId = "token0000shared0";

/** A new database on the run's server, with a connection to inspect it. */
async function scratchDatabase() {
  const adminUrl = await testPostgresUrl();
  const name = `counts_${randomBytes(6).toString("hex")}`;
  const admin = await connected(adminUrl);
  await admin.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  return {
    url,
    create: () => admin.query(`CREATE DATABASE ${name}`),
    drop: () => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    async query(statement: string) {
      const client = await connected(url);
      const { rows } = await client.query<Record<string, unknown>>(statement);
      await client.end();
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

const edgeAt = (url: string, limit: number, timeoutMs = 10_000): Promise<Edge> =>
  startEdge(
    {},
    {
      sharedCounts: { checkMs: 20, timeoutMs },
      config: { CANVASS_RATE_LIMIT_DATABASE_URL: url, CANVASS_RATE_LIMIT_READS: limit },
    },
  );

const sharedToken = ({ services }: Edge) => services.issueToken(["full_access"], { tokenId }).value;
const isShared = async ({ opsUrl }: Edge) =>
  (await (await fetch(`${opsUrl}/metrics`)).text()).match(/^canvass_rate_limits_shared(?:\{.*\})? (\d)/m)?.[1] === "1";

test("a limit holds exactly over two gateways, whichever is asked", async () => {
  await using database = await scratchDatabase();
  await using one = await edgeAt(database.url, 40);
  await using other = await edgeAt(database.url, 40);
  const asks = [one, other].map((edge) => {
    const token = sharedToken(edge);
    return () => edge.call("/errors", { token });
  });
  const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => asks[index % 2]!()));
  const passed = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(80);
  const remaining = passed.map(({ headers }) => Number(/r=(\d+);/.exec(headers.get("ratelimit")!)![1]));
  expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index));
  for (const call of asks) {
    const { status, headers } = await call();
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  // The store shows neither callers nor addresses, and a crash loses nothing of value.
  const rows = await database.query("SELECT key FROM canvass_call_counts");
  expect(rows).toEqual([{ key: expect.stringMatching(/^[\w-]{22}$/) }]);
  expect(
    await database.query("SELECT relpersistence AS is FROM pg_class WHERE relname = 'canvass_call_counts'"),
  ).toEqual([{ is: "u" }]);

  await database.query("UPDATE canvass_call_counts SET ends_at = now()");
  const third = await edgeAt(database.url, 40);
  expect((await third.call("/errors", { token: sharedToken(third) })).headers.get("ratelimit")).toMatch(/r=39;t=60$/);
  await third[Symbol.asyncDispose]();
});

test("a minute of the store ends although the clock of its server is set back", async () => {
  await using database = await scratchDatabase();
  await using edge = await edgeAt(database.url, 1);
  expect((await edge.call("/errors")).headers.get("ratelimit")).toMatch(/r=0;t=60$/);
  await database.query("UPDATE canvass_call_counts SET ends_at = ends_at + interval '1 hour'");
  const { status, headers } = await edge.call("/errors");
  expect(status).toBe(200);
  expect(headers.get("ratelimit")).toMatch(/r=0;t=60$/);
});

test("without its store a gateway counts for itself, and shares again when the store is back", async () => {
  await using database = await scratchDatabase();
  await database.drop();
  await using edge = await edgeAt(database.url, 3);
  expect(await isShared(edge)).toBe(false);
  const token = sharedToken(edge);
  const status = async () => (await edge.call("/errors", { token })).status;
  expect([await status(), await status(), await status(), await status()]).toEqual([200, 200, 200, 429]);
  await database.create();
  await waitFor(() => isShared(edge), { describe: "shared counts" });
  expect([await status(), await status(), await status(), await status()]).toEqual([200, 200, 200, 429]);
  await database.drop();
  const other = edge.services.issueToken(["full_access"]).value;
  expect((await edge.call("/errors", { token: other })).status).toBe(200);
  expect(await isShared(edge)).toBe(false);
});

test("a store that hangs refuses no call, and counts are shared again afterwards", async () => {
  await using database = await scratchDatabase();
  await using edge = await edgeAt(database.url, 100, 500);
  expect((await edge.call("/errors")).status).toBe(200);
  const client = await connected(database.url);
  await client.query("BEGIN; LOCK TABLE canvass_call_counts IN ACCESS EXCLUSIVE MODE");
  expect((await edge.call("/errors")).status).toBe(200);
  await client.end();
  await waitFor(() => isShared(edge), { describe: "shared counts" });
});

test("in front of a database that never answers a gateway starts, and counts for itself", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => {
    silent.listen(0, "127.0.0.1", resolve);
  });
  const { port } = silent.address() as AddressInfo;
  await using edge = await edgeAt(`postgres://nobody@127.0.0.1:${port}/nothing`, 1, 500);
  expect([(await edge.call("/errors")).status, (await edge.call("/errors")).status]).toEqual([200, 429]);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test("gateways that start at once create one table, and old minutes are deleted", async () => {
  await using database = await scratchDatabase();
  const edges = await Promise.all(Array.from({ length: 4 }, () => edgeAt(database.url, 10)));
  for (const edge of edges) await waitFor(() => isShared(edge), { describe: "shared counts" });
  await database.query(
    "INSERT INTO canvass_call_counts VALUES ('old', 1, now() - interval '2 minutes'), ('new', 1, now())",
  );
  const keys = async () => (await database.query("SELECT key FROM canvass_call_counts")).map(({ key }) => key);
  await expect.poll(keys).toEqual(["new"]);
  await Promise.all(edges.map((edge) => edge[Symbol.asyncDispose]()));
});

test("the end of the store's certificate is a metric", async () => {
  await using database = await scratchDatabase();
  const certificates = await testCertificates(["localhost"]);
  await using door = await startTlsDoor(database.url, certificates);
  await using edge = await edgeAt(door.url, 10);
  // Of the chain the first that ends: the authority's is made a moment earlier.
  const ends = [certificates.ca, certificates.cert].map((pem) => Date.parse(new X509Certificate(pem).validTo));
  const seconds = Math.min(...ends) / 1_000;
  const line = `canvass_certificate_expiry_timestamp_seconds{certificate="postgresql",service="gateway"} ${seconds}`;
  const metrics = async () => (await fetch(`${edge.opsUrl}/metrics`)).text();
  await waitFor(async () => (await metrics()).includes('certificate="postgresql"'), { describe: "a connection" });
  expect(await metrics()).toContain(line);
});
