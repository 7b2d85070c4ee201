import { Type, type TProperties } from "typebox";
import { shapeViolations } from "./check-shape.ts";
import type { Violation } from "./violations.ts";
import { closed } from "./fields.ts";

const mostItems = 100;
/** Fits the longest sort key, a survey's name in capitals and accents. */
export const longestCursor = 4096;

export const defaultLimit = 50;

const limitRange = { minimum: 1, maximum: mostItems, "x-expected": `a whole number from 1 to ${mostItems}` };

export const limitParam = Type.Integer({ ...limitRange, default: defaultLimit, description: "items of a page" });

/** An empty cursor is the first page, like an absent one. */
export const cursorParam = Type.Optional(
  Type.String({ maxLength: longestCursor, description: "`cursor_next` of the previous page" }),
);

/** A bound of a time filter: `from` is inclusive, `to` exclusive. */
export const timeParam = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

const pageRange = { minimum: 1, maximum: 1_000_000, "x-expected": "a whole number from 1 to 1000000" };
const pageParam = Type.Integer(pageRange);

/** A query with filters, paged by cursor (contract 2.7). */
export const cursorQuery = <Filters extends TProperties>(filters: Filters) =>
  closed({ ...filters, limit: limitParam, cursor: cursorParam });

/** A query paged by cursor, or by number without one (contract 2.7, 2.8). `limit` and `page` get no default value. */
export const cursorOrPageQuery = <Filters extends TProperties>(filters: Filters) =>
  closed({
    ...filters,
    limit: Type.Optional(Type.Integer({ ...limitRange, description: `items of a page; default ${defaultLimit}` })),
    cursor: cursorParam,
    page: Type.Optional(
      Type.Integer({
        ...pageRange,
        description: "page number, from 1",
        "x-not-beside": ["cursor", "paging"],
      }),
    ),
  });

export function pagingViolations(paging: { limit: number; page?: number }): Violation[] {
  const ofPage = paging.page === undefined ? [] : shapeViolations(pageParam, paging.page, "page");
  return [...shapeViolations(limitParam, paging.limit, "limit"), ...ofPage];
}
