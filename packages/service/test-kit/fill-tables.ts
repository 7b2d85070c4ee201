import { openPool, sqlFromPg, type Sql } from "@canvass/postgres";

interface Column {
  table: string;
  name: string;
  type: string;
}

/** SQL of a value of row `i`, by type. */
const valueOf: Record<string, string> = {
  text: "'t' || i",
  int2: "i % 30000",
  int4: "i",
  int8: "i",
  float8: "i",
  numeric: "i",
  bool: "true",
  json: "'{}'",
  jsonb: "'{}'",
  bytea: "decode(md5(i::text), 'hex')",
  date: "date '2026-01-01' + i % 300",
  timestamptz: "timestamptz '2026-01-01' + i * interval '1 minute'",
  _text: "'{}'",
};

const rowsOfWorkspace = 50;

/** Fills every table of a test database with rows that refer to nothing, without analysing it. */
export async function fillTables(url: string, rows: number): Promise<void> {
  await using opened = openPool({ url, poolSize: 1, applicationName: "fill-tables" });
  const sql = sqlFromPg(opened.pool);
  const columns = await sql.query<Column>(
    `SELECT table_name::text AS "table", column_name::text AS name, udt_name::text AS type
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' AND is_identity = 'NO'
       AND table_name <> '_prisma_migrations'
     ORDER BY ordinal_position`,
  );
  await dropConstraints(sql);
  for (const [table, of] of Map.groupBy(columns, (column) => column.table)) {
    await sql.query(
      `INSERT INTO ${table} (${of.map(({ name }) => name).join()})
       SELECT ${of.map(valueFor).join()} FROM generate_series(1, ${rows}) AS i ON CONFLICT DO NOTHING`,
    );
  }
}

/** Drops checks, and switches foreign keys off, which are triggers. */
async function dropConstraints(sql: Sql): Promise<void> {
  await sql.query("SET session_replication_role = replica");
  const checks = await sql.query<{ drop: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop
     FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace`,
  );
  for (const { drop } of checks) await sql.query(drop);
}

function valueFor({ name, type, table }: Column): string {
  if (name === "workspace_id") return `'w' || i / ${rowsOfWorkspace}`;
  const value = valueOf[type];
  if (!value) throw new Error(`no value for ${table}.${name} of type ${type}`);
  return `(${value})::${type}`;
}
