import type { Pool, PoolClient } from "pg";
import { answerOf, type Answered } from "./answer-of.ts";
import { PreparedQuery } from "./prepared-query.ts";
import { statementName } from "./statement-name.ts";

/**
 * A pg transaction, a Prisma transaction or a pool. Both adapters return the same values for booleans, int4, float8,
 * text, json, timestamptz (a Date), bytea (a Uint8Array) and int8 (a string). Cast numeric to text. Never use `SELECT
 * *`: a prepared statement fails after a migration changes its columns.
 */
export interface Sql {
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

export interface PrismaRaw {
  $queryRawUnsafe<T>(text: string, ...params: unknown[]): Promise<T>;
}

/** Statements with parameters are prepared once per connection. On a pool, each may use another connection. */
export function sqlFromPg(client: Pool | PoolClient): Sql {
  return {
    async query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]> {
      if (params === undefined || params.length === 0) return (await client.query(text)).rows as Row[];
      const query = new PreparedQuery(statementName(text), text, params);
      const { rows } = await answerOf((answered) => (client.query as Ask).call(client, query, answered));
      return rows as Row[];
    },
  };
}

type Ask = (query: PreparedQuery, answered: Answered) => void;

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
