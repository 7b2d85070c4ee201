import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";

/** More than the server accepts. */
const CLIENTS = 260;

/** Takes all of PostgreSQL's connections, including those reserved for administrators, and holds them for `holdMs`. */
export async function stormDatabase(databaseUrl: string, holdMs: number): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
      // Another fault may stop the server.
      client.on("error", () => undefined);
      await client.connect().catch(() => undefined);
      return client;
    }),
  );
  await delay(holdMs);
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
}
