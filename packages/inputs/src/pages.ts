import { Type, type TProperties } from "typebox";
import { shapeFaults } from "./check-shape.ts";
import type { Fault } from "./faults.ts";
import { closed } from "./fields.ts";

const mostItems = 100;
/** Fits the longest position: a survey's name in capitals and accents. */
export const longestCursor = 4096;

export const defaultLimit = 50;

export const limitParam = Type.Integer({
  minimum: 1,
  maximum: mostItems,
  default: defaultLimit,
  description: "items of a page",
  "x-expected": `a whole number from 1 to ${mostItems}`,
});

const cursorParam = Type.Optional(
  Type.String({ maxLength: longestCursor, description: "`cursor_next` of the page before; empty: the first page" }),
);

/** A bound of a filter by time: from inclusive, to exclusive. */
export const timeParam = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

const pageParam = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  default: 1,
  description: "which page",
  "x-expected": "a whole number from 1 to 1000000",
});

/** A query paged by cursor (contract 2.7), with filters. */
export const cursorQuery = <Filters extends TProperties>(filters: Filters) =>
  closed({ ...filters, limit: limitParam, cursor: cursorParam });

/** A query paged by number (contract 2.8). */
export const numberedQuery = closed({ limit: limitParam, page: pageParam });

export function pagingFaults(paging: { limit: number; page?: number }): Fault[] {
  const ofPage = paging.page === undefined ? [] : shapeFaults(pageParam, paging.page, "page");
  return [...shapeFaults(limitParam, paging.limit, "limit"), ...ofPage];
}
