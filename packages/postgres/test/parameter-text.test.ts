import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool, sqlFromPg, type OpenPool, type Sql } from "../src/index.ts";
import { createScratchDatabase, type ScratchDatabase } from "./scratch-database.ts";

let scratch: ScratchDatabase;
let opened: OpenPool;
let sql: Sql;

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: false });
  opened = openPool({ url: scratch.url, poolSize: 1, applicationName: "parameters" });
  sql = sqlFromPg(opened.pool);
});
afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
  await scratch?.[Symbol.asyncDispose]();
});

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.array(fc.option(values));
/** PostgreSQL stores no NUL. */
const text = fc
  .oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom("\\", '"', "\n", "n", "{", "}", ",", "NULL", "\t", "\u0007") }),
  )
  .filter((value) => !value.includes("\0"));
const timestamp = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("+012026-01-01T00:00:00Z"),
  noInvalidDate: true,
});

test.each([
  ["text", orNull(text)],
  ["int4", orNull(fc.integer())],
  ["float8", orNull(fc.double())],
  ["boolean", orNull(fc.boolean())],
  ["timestamptz", orNull(timestamp)],
])("an array of %s is stored as it is", async (type, arrays: fc.Arbitrary<unknown[]>) => {
  await fc.assert(
    fc.asyncProperty(arrays, async (values) => {
      const rows = await sql.query<{ v: unknown }>(
        `SELECT v FROM unnest($1::${type}[]) WITH ORDINALITY AS u (v, n) ORDER BY n`,
        [values],
      );
      expect(rows.map(({ v }) => v)).toEqual(values.map((value) => (Object.is(value, -0) ? 0 : value)));
    }),
  );
});

test("times, bytes, and arrays of arrays are stored unchanged", async () => {
  const values = [
    new Date("2026-03-01T12:00:00.123Z"),
    Buffer.from([0, 1, 255]),
    [
      ["a", "b\n"],
      ["c", null],
    ],
  ];
  const rows = await sql.query("SELECT $1::timestamptz AS a, $2::bytea AS b, $3::text[][] AS c", values);
  expect(rows).toEqual([{ a: values[0], b: values[1], c: values[2] }]);
});
