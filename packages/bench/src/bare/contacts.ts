import type { Pool } from "pg";

/** Unix milliseconds. Ids count from `epoch`. Filled contacts start at `firstTime`, before those created by the API. */
const epoch = Date.UTC(2020, 0, 1);
const firstTime = Date.UTC(2026, 0, 1);
const chunk = 50_000;

/** Creation time of the contact with this number. Contacts are one millisecond apart. */
export const timeOf = (number: number): number => firstTime + 1 + number;
export const idOf = (number: number): string => (timeOf(number) - epoch).toString(36).padStart(8, "0").padEnd(16, "0");

const columns = `contact_id text, email text, email_key text, first_name text, last_name text, name_key text,
  last_name_key text, external_id text, status text, revision int, created_at timestamptz, updated_at timestamptz`;

const rows = `SELECT id, 'filled' || n || '@example.org', 'filled' || n || '@example.org', 'First' || n % 977, 'Last' || n % 1009,
    'first' || n % 977 || ' last' || n % 1009, 'last' || n % 1009, 'filled-' || n, 'active', 1, at, at
  FROM unnest($1::text[], $2::int[], $3::timestamptz[]) AS given (id, n, at)`;

/** Inserts `count` contacts into a workspace as the distribution service stores them. */
export async function fillContacts(pool: Pool, workspaceId: string, count: number): Promise<void> {
  await inChunks(count, (values) =>
    pool.query(
      `INSERT INTO contacts (workspace_id, contact_id, email, email_key, first_name, last_name, name_key, last_name_key,
         external_id, status, revision, created_at, updated_at) SELECT $4::text, filled.* FROM (${rows}) AS filled`,
      [...values, workspaceId],
    ),
  );
  await pool.query("INSERT INTO contact_counters VALUES ($1, 15, 'active', $2) ON CONFLICT DO NOTHING", [
    workspaceId,
    count,
  ]);
  await pool.query("VACUUM ANALYZE contacts");
}

/** Inserts the same contacts into a plain table. */
export async function fillPlainContacts(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `CREATE TABLE IF NOT EXISTS contacts (${columns}, PRIMARY KEY (contact_id), UNIQUE (email_key), UNIQUE (external_id))`,
  );
  await inChunks(count, (values) => pool.query(`INSERT INTO contacts ${rows}`, values));
  await pool.query("VACUUM ANALYZE contacts");
}

async function inChunks(count: number, insert: (values: unknown[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += chunk) {
    const numbers = Array.from({ length: Math.min(chunk, count - from) }, (_, index) => from + index);
    await insert([numbers.map(idOf), numbers, numbers.map((number) => new Date(timeOf(number)))]);
  }
}

const INSERT = `INSERT INTO contacts (contact_id, email, email_key, first_name, last_name, external_id, status, revision, created_at, updated_at)
  SELECT 'plain' || "externalId", email, email, "firstName", "lastName", "externalId", 'active', 1, now(), now()
  FROM jsonb_to_recordset($1::jsonb) AS r (email text, "firstName" text, "lastName" text, "externalId" text)`;

/** Inserts all contacts with one statement. */
export async function insertPlainContacts(pool: Pool, given: readonly object[]): Promise<void> {
  await pool.query(INSERT, [JSON.stringify(given)]);
}
