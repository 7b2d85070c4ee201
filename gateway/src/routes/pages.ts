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

/** The envelope of a list that is paged by cursor. */
export const cursorList = (description: string, item: TSchema) =>
  Type.Object(
    { success: Type.Boolean({ const: true }), data: Type.Array(item), pagination: cursorPagination, meta },
    { description },
  );

/** The envelope of a list that is paged by number. */
export const pageList = (description: string, item: TSchema) =>
  Type.Object(
    { success: Type.Boolean({ const: true }), data: Type.Array(item), pagination: pagePagination, meta },
    { description },
  );

/** The end of a page in every list's RPC. */
interface PageEnd {
  nextCursor: string;
  hasMore: boolean;
  total?: bigint;
}

/** The `pagination` of a page by cursor. */
export function cursorEnd({ nextCursor, hasMore, total }: PageEnd) {
  return { cursor_next: nextCursor || null, hasMore, ...(total !== undefined && { total: Number(total) }) };
}

/** The `pagination` of a page by number. */
export function numberedEnd({ page, limit }: { page: number; limit: number }, total: number) {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasMore: page < totalPages };
}
