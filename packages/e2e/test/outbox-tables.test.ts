import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createTestDatabase } from "@canvass/testing";
import { Client } from "pg";
import { expect, test } from "vitest";

const services = fileURLToPath(new URL("../../../services/", import.meta.url));

/** The settings of a service's outbox, once its migrations have run; undefined when it has none. */
async function outboxSettings(service: string): Promise<string[] | undefined> {
  await using database = await createTestDatabase(`${services}${service}/prisma/migrations`);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ settings: string[] }>(
      "SELECT coalesce(reloptions, '{}') AS settings FROM pg_class WHERE relname = 'outbox_events'",
    );
    return rows[0]?.settings;
  } finally {
    await client.end();
  }
}

test("every outbox is cleaned up by the number of dead rows, not by their share", async () => {
  const outboxes = new Map<string, string[]>();
  for (const service of readdirSync(services)) {
    const settings = await outboxSettings(service);
    if (settings) outboxes.set(service, settings);
  }
  expect([...outboxes.keys()]).toEqual(expect.arrayContaining(["response", "survey", "token", "webhook"]));
  for (const [service, settings] of outboxes) {
    expect(settings, service).toEqual(
      expect.arrayContaining(["autovacuum_vacuum_scale_factor=0", "autovacuum_vacuum_threshold=20000"]),
    );
  }
});
