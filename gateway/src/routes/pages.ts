import { Type, type TSchema } from "typebox";
import { meta, named, nullable } from "./schemas.ts";

const pagination = named("Pagination", {
  cursor_next: nullable<string>("string", {
    description:
      "send it as `cursor` to get the next page; null after the last page, unless the list can grow at its end",
  }),
  hasMore: Type.Boolean({ description: "more items are available now: request the next page at once" }),
  total: Type.Optional(Type.Integer({ description: "items of all pages, if the list counts them" })),
  totalIsExact: Type.Optional(Type.Boolean({ description: "false: there are `total` or more" })),
  page: Type.Optional(Type.Integer({ description: "only for pages by number, like the fields below" })),
  limit: Type.Optional(Type.Integer()),
  totalPages: Type.Optional(Type.Integer()),
});

export const cursorList = (description: string, item: TSchema) =>
  Type.Object({ success: Type.Boolean({ const: true }), data: Type.Array(item), pagination, meta }, { description });

/** The pagination of a list that has all its items on one page (`cursorList`). */
export const wholePagination = { cursor_next: null, hasMore: false } as const;

interface PageEnd {
  nextCursor: string;
  hasMore: boolean;
  total?: bigint;
}

export function cursorPagination({ nextCursor, hasMore, total }: PageEnd) {
  return { cursor_next: nextCursor || null, hasMore, ...(total !== undefined && { total: Number(total) }) };
}

/** The pagination of a page by number. `total`: items of all pages. */
export function numberedPagination({ page, limit }: { page: number; limit: number }, total: number) {
  return { total, page, limit, totalPages: Math.ceil(total / limit) };
}
