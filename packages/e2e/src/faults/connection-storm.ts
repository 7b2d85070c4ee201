import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";

/** More than the server takes. */
const CLIENTS = 260;

/** Takes every connection that PostgreSQL has, those for administrators too, and holds them for a time. */
export async function stormDatabase(databaseUrl: string, holdMs: number): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
      // Another fault may end the server.
      client.on("error", () => undefined);
      await client.connect().catch(() => undefined);
      return client;
    }),
  );
  await delay(holdMs);
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
}
