import { openPool, sqlFromPg, type Sql } from "@canvass/postgres";
import { createTestDatabase } from "@canvass/testing";
import { fillTables } from "./fill-tables.ts";

const rowsEach = 5_000;

/**
 * Prepares statements, as connections with kept plans do, while all tables are empty; then fills the tables with rows of many
 * workspaces without analysing them, and plans the statements again. Returns how the plans find rows, unless by all columns of
 * a unique index: `<table> by <index> (<compared columns>)`, each once.
 */
export async function looseLookUps(migrations: string, statements: Iterable<string>): Promise<string[]> {
  await using database = await createTestDatabase(migrations);
  const plans = { plans: "kept", plansKeptMs: 0 } as const;
  await using opened = openPool({ url: database.url, poolSize: 1, applicationName: "kept-plans", ...plans });
  const sql = sqlFromPg(opened.pool);
  const prepared = [...statements].map((text, index) => ({ text, name: `kept${index}` }));
  for (const { text, name } of prepared) {
    await sql.query(`PREPARE ${name} AS ${text}`);
    await explain(sql, name);
  }
  await fillTables(database.url, rowsEach);
  const keys = await uniqueKeys(sql);
  const found = new Set<string>();
  for (const { name } of prepared) {
    for (const lookUp of lookUpsOf(await explain(sql, name))) if (!isByKey(lookUp, keys)) found.add(textOf(lookUp));
  }
  return [...found].toSorted();
}

async function explain(sql: Sql, name: string): Promise<PlanNode> {
  const [statement] = await sql.query<{ count: number }>(
    `SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = '${name}'`,
  );
  const nothing = Array.from({ length: statement!.count }, () => "NULL").join();
  const rows = await sql.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
    `EXPLAIN (FORMAT JSON) EXECUTE ${name}${nothing && `(${nothing})`}`,
  );
  return rows[0]!["QUERY PLAN"][0]!.Plan;
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: PlanNode[];
}

interface LookUp {
  table: string;
  /** Absent: it reads the table whole. */
  index: string | undefined;
  /** Columns of the index that are compared with values. */
  by: string[];
}

function lookUpsOf(node: PlanNode, above?: PlanNode): LookUp[] {
  const below = (node.Plans ?? []).flatMap((plan) => lookUpsOf(plan, node));
  const { "Node Type": type, "Relation Name": table } = node;
  // These read a row that another node has found, by its physical location (ctid).
  if (!table || type === "ModifyTable" || type === "Tid Scan") return below;
  const scan = node["Index Name"] ? node : node.Plans?.find((plan) => plan["Index Name"]);
  // Under a LIMIT, a lower bound finds the first rows of its range as directly as an equality finds a row.
  const comparison = above?.["Node Type"] === "Limit" ? /\((\w+) >?= /g : /\((\w+) = /g;
  const compared = (scan?.["Index Cond"] ?? "").matchAll(comparison);
  return [{ table, index: scan?.["Index Name"], by: [...compared].map(([, column]) => column!) }, ...below];
}

type Keys = ReadonlyMap<string, readonly string[]>;

const isByKey = ({ index, by }: LookUp, keys: Keys): boolean =>
  index !== undefined && keys.get(index)?.every((column) => by.includes(column)) === true;

const textOf = ({ table, index, by }: LookUp): string => `${table} by ${index ?? "nothing"} (${by.join(", ")})`;

/** The columns of the unique indexes, by name. */
async function uniqueKeys(sql: Sql): Promise<Keys> {
  const rows = await sql.query<{ index: string; columns: string[] }>(
    `SELECT i.indexrelid::regclass::text AS index, array_agg(a.attname::text) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey[:i.indnkeyatts - 1])
     WHERE i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL AND c.relnamespace = 'public'::regnamespace
     GROUP BY i.indexrelid`,
  );
  return new Map(rows.map(({ index, columns }) => [index, columns]));
}
