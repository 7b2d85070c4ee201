import { expect, test } from "vitest";
import { queryFields } from "./query-fields.ts";

test("query parameters are values by name, and those that cannot be fields are left out", () => {
  expect(queryFields("?customer=12&utm_source=a%20b&customer=13")).toEqual({ customer: "12", utm_source: "a b" });
  expect(queryFields("")).toEqual({});
  const hostile = "?__proto__=1&constructor=2&q.name=3&1a=4&empty=&%F0=5&nul=%00&bad=%E0%A4%A";
  expect(queryFields(hostile)).toEqual({ constructor: "2", nul: "\0", bad: "\uFFFD%A" });
  expect(queryFields(`?long=${"x".repeat(2_001)}`)).toEqual({});
  const many = Array.from({ length: 200 }, (_, at) => `f${at}=x`).join("&");
  expect(Object.keys(queryFields(many))).toHaveLength(100);
});
