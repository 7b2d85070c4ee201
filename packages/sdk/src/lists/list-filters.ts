/** The filters of a list, with `limit` as the size of its pages. */
export type ListFilters<Data extends { query?: object }> = Omit<
  NonNullable<Data["query"]>,
  "cursor" | "page" | "paging" | "includeTotal"
>;
