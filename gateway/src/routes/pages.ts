import { Type, type TSchema } from "typebox";
import { meta, named, nullable } from "./schemas.ts";

const pagination = named("Pagination", {
  cursor_next: nullable<string>("string", {
    description: "send it back as `cursor`; null after the last page, unless the list may grow at its end",
  }),
  hasMore: Type.Boolean({ description: "there is more now: ask again at once" }),
  total: Type.Optional(Type.Integer({ description: "items of all pages, where the list counts them" })),
  totalIsExact: Type.Optional(Type.Boolean({ description: "false: there are at least `total`" })),
  page: Type.Optional(Type.Integer({ description: "of a page by number, as the fields below" })),
  limit: Type.Optional(Type.Integer()),
  totalPages: Type.Optional(Type.Integer()),
});

export const cursorList = (description: string, item: TSchema) =>
  Type.Object({ success: Type.Boolean({ const: true }), data: Type.Array(item), pagination, meta }, { description });

/** The end of a list that is always answered whole (`cursorList`). */
export const wholeEnd = { cursor_next: null, hasMore: false } as const;

interface PageEnd {
  nextCursor: string;
  hasMore: boolean;
  total?: bigint;
}

export function cursorPagination({ nextCursor, hasMore, total }: PageEnd) {
  return { cursor_next: nextCursor || null, hasMore, ...(total !== undefined && { total: Number(total) }) };
}

/** The end of a page by number. */
export function numberedEnd({ page, limit }: { page: number; limit: number }, total: number) {
  return { total, page, limit, totalPages: Math.ceil(total / limit) };
}
