import { Type, type TSchema } from "typebox";
import { meta, named, nullable } from "./schemas.ts";

const cursorPagination = named("CursorPagination", {
  cursor_next: nullable<string>("string", { description: "send it back as `cursor`; null after the last page" }),
  hasMore: Type.Boolean(),
  total: Type.Optional(Type.Integer()),
});

const pagePagination = named("PagePagination", {
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  totalPages: Type.Integer(),
  hasMore: Type.Boolean(),
});

export const cursorList = (description: string, item: TSchema) =>
  Type.Object(
    { success: Type.Boolean({ const: true }), data: Type.Array(item), pagination: cursorPagination, meta },
    { description },
  );

export const pageList = (description: string, item: TSchema) =>
  Type.Object(
    { success: Type.Boolean({ const: true }), data: Type.Array(item), pagination: pagePagination, meta },
    { description },
  );

const eitherPagination = named("CursorOrPagePagination", {
  cursor_next: Type.String({
    description: "send it back as `cursor`; also after the last page, which may be asked again",
  }),
  hasMore: Type.Boolean({ description: "there is more now: ask again at once" }),
  total: Type.Optional(Type.Integer({ description: "of a page by number, as the fields below" })),
  totalIsExact: Type.Optional(Type.Boolean({ description: "false: there are at least so many" })),
  page: Type.Optional(Type.Integer()),
  limit: Type.Optional(Type.Integer()),
  totalPages: Type.Optional(Type.Integer()),
});

/** Paged by cursor, or by number without one. The cursor after the last page can be reused. */
export const eitherList = (description: string, item: TSchema) =>
  Type.Object(
    { success: Type.Boolean({ const: true }), data: Type.Array(item), pagination: eitherPagination, meta },
    { description },
  );

/** The end of a list that is always answered whole (`cursorList`). */
export const wholeEnd = { cursor_next: null, hasMore: false } as const;

interface PageEnd {
  nextCursor: string;
  hasMore: boolean;
  total?: bigint;
}

export function cursorEnd({ nextCursor, hasMore, total }: PageEnd) {
  return { cursor_next: nextCursor || null, hasMore, ...(total !== undefined && { total: Number(total) }) };
}

export function numberedEnd({ page, limit }: { page: number; limit: number }, total: number) {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasMore: page < totalPages };
}
