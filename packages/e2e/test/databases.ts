import { serviceNames, type ServiceName } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import { expect } from "vitest";
import { openServiceDatabases, type ServiceDatabases } from "../src/service-databases.ts";

/** The databases of a running system. */
export interface Databases extends Pick<ServiceDatabases, "query">, AsyncDisposable {
  /** Row counts by `<service>.<table>`, after all events, attempts and jobs so far have taken effect. */
  countRows(): Promise<Record<string, number>>;
  /** Like `countRows`, with a digest of the rows, so that a changed value shows too. */
  fingerprint(): Promise<Record<string, string>>;
}

/** `databaseUrl` is the administrator's, from `local.json`. Reopens lost connections. */
export function openDatabases(databaseUrl: string): Databases {
  const databases = openServiceDatabases(databaseUrl);
  const { query } = databases;
  const outboxesAreEmpty = async () => (await databases.unconfirmedEvents()).length === 0;

  /** `value` is SQL over the rows of `t`. */
  async function ofEachTable<Value>(value: (table: string) => string): Promise<Record<string, Value>> {
    await waitFor(outboxesAreEmpty, { describe: "every event to be confirmed" });
    await waitFor(attemptsAreOver, { describe: "every attempt under way to be recorded" });
    await waitFor(jobsAreDone, { describe: "every export and import to end" });
    const result: Record<string, Value> = {};
    for (const service of serviceNames) {
      const each = (table: string) => `SELECT '${table}' AS name, ${value(table)} AS value FROM "${table}" t`;
      const statement = (await tablesOf(service)).map(each).join(" UNION ALL ");
      for (const row of await query<{ name: string; value: Value }>(service, statement)) {
        result[`${service}.${row.name}`] = row.value;
      }
    }
    return result;
  }

  async function tablesOf(service: ServiceName): Promise<string[]> {
    const rows = await query<{ tablename: string }>(service, listTables);
    return rows.map(({ tablename }) => tablename);
  }

  async function attemptsAreOver(): Promise<boolean> {
    return (await query("delivery", "SELECT FROM due_deliveries WHERE lease_id IS NOT NULL")).length === 0;
  }

  async function jobsAreDone(): Promise<boolean> {
    const counts = await Promise.all([
      query<{ count: number }>("response", unfinishedExports),
      query<{ count: number }>("distribution", "SELECT count(*)::int AS count FROM jobs WHERE outcome IS NULL"),
    ]);
    return counts.flat().every(({ count }) => count === 0);
  }

  return {
    query,
    countRows: () => ofEachTable<number>(() => "count(*)::int"),
    fingerprint: () => ofEachTable<string>(digest),
    [Symbol.asyncDispose]: () => databases[Symbol.asyncDispose](),
  };
}

/** Makes calls and asserts that no row of any database changed. */
export async function expectNoTrace<Result>(databases: Databases, calls: () => Promise<Result>): Promise<Result> {
  const before = await databases.fingerprint();
  const result = await calls();
  expect(await databases.fingerprint()).toEqual(before);
  return result;
}

// Excludes tables that change on their own: each request updates a token's last use, and workers note when to look at a
// webhook's deliveries again.
const listTables = `
  SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('token_uses', 'endpoint_queues')
  ORDER BY tablename`;

/** Exports that still run, or whose files are yet to be deleted. */
const unfinishedExports = `
  SELECT count(*)::int AS count FROM exports e JOIN jobs j ON j.job_id = e.export_id
  WHERE j.outcome IS NULL OR (e.files_deleted_at IS NULL AND (e.expires_at <= now() OR j.outcome <> 'succeeded'))`;

// A sum of hashes: sorting rows, and writing them as JSON, took most of the database's time. Excludes `oldest_at`: the
// purge updates the age of a feed's oldest entry.
const digest = (table: string) => {
  const row = table === "feed_counters" ? "(to_jsonb(t) - 'oldest_at')::text" : "t::text";
  return `count(*) || ' ' || coalesce(sum(hashtextextended(${row}, 0)), 0)`;
};
