import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { parameterText } from "./parameter-text.ts";
import { statementName } from "./statement-name.ts";

/** A pg or Prisma transaction, or a pool. Never use `SELECT *`: once prepared, it fails after a migration. */
export interface Sql {
  /** Returns int8 as a string, timestamptz as a Date, bytea as a Uint8Array. Cast numeric to text: drivers differ. */
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

export interface PrismaRaw {
  $queryRawUnsafe<T>(text: string, ...params: unknown[]): Promise<T>;
}

/** Statements with parameters are prepared once per connection. On a pool, each may use another connection. */
export function sqlFromPg(client: Pool | PoolClient): Sql {
  return {
    query: async <Row>(text: string, params?: readonly unknown[]) => rowsOf<Row>(await runQuery(client, text, params)),
  };
}

/** Sends a statement now. Throws at once if a value cannot be encoded; then nothing was sent. */
export function runQuery(client: Pool | PoolClient, text: string, params?: readonly unknown[]): Promise<QueryResult> {
  if (params === undefined || params.length === 0) return client.query(text);
  const statement: QueryConfig = { name: statementName(text), text, values: params.map(parameterText) };
  return client.query(statement);
}

export const rowsOf = <Row>({ rows }: QueryResult): Row[] => rows as Row[];

export function sqlFromPrisma(prisma: PrismaRaw): Sql {
  return {
    async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
      const rows = await prisma.$queryRawUnsafe<Record<string, unknown>[]>(text, ...params.map(toPrisma));
      return rows.map((row) => mapValues(row, fromPrisma)) as Row[];
    },
  };
}

function toPrisma(value: unknown): unknown {
  // Prisma would drop the Date's zone.
  return value instanceof Date ? value.toISOString() : value;
}

function fromPrisma(value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function mapValues(row: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, map(value)]));
}
