import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
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

/** A JSON escape that PostgreSQL reads differently: all except escaped quotes and backslashes. */
const OTHER_ESCAPE = /(?<!\\)(?:\\\\)*\\[^"\\]/;
/** Four-digit years: ISO 8601 and PostgreSQL agree on them. */
const FIRST_YEAR = Date.UTC(1000, 0);
const LAST_YEAR = Date.UTC(9999, 0);

/** Writes dates and flat arrays the way PostgreSQL reads them, with less garbage than pg's own conversion. */
function parameterText(value: unknown): unknown {
  if (value instanceof Date) return isUsual(value) ? value.toISOString() : value;
  if (!Array.isArray(value) || !value.every(isPlain)) return withJson(value);
  const json = JSON.stringify(value);
  // The JSON of a flat array is an array literal, except for its brackets.
  return json.includes("\\") && OTHER_ESCAPE.test(json) ? value : `{${json.slice(1, -1)}}`;
}

function withJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withJson);
  const isDocument = typeof value === "object" && value !== null && !(value instanceof Date);
  // A value without JSON throws here, before anything is sent.
  return isDocument && !ArrayBuffer.isView(value) ? JSON.stringify(value) : value;
}

function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value instanceof Date) return isUsual(value);
  return value === null || value === undefined || typeof value === "string" || typeof value === "boolean";
}

function isUsual(date: Date): boolean {
  return date.getTime() >= FIRST_YEAR && date.getTime() < LAST_YEAR;
}
