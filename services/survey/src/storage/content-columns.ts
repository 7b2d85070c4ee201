/** A column that holds a member of a page or a question. */
export interface ContentColumn<Member extends string = string> {
  name: string;
  member: Member;
  type: "text" | "jsonb" | "int2" | "boolean";
  /** A definition leaves the member out where the column is null or false. */
  isOptional?: true;
}

/** As read from columns: an optional member that a definition leaves out is null or false. */
export type Stored<Row> = {
  [Member in keyof Row]: object extends Pick<Row, Member> ? Row[Member] | null : Row[Member];
};

/** Returns SQL for statements of a table, which is called `alias` where it is read. */
export function contentSql(ids: readonly ContentColumn[], columns: readonly ContentColumn[], alias: string) {
  const all = [...ids, ...columns];
  const optional = new Set(columns.filter(({ isOptional }) => isOptional).map(({ member }) => member));
  const listOf = (list: readonly ContentColumn[], written: (column: ContentColumn) => string) =>
    list.map(written).join(", ");
  return {
    /** All columns, named as members. */
    read: listOf(all, ({ name, member }) => `${alias}.${name} AS "${member}"`),
    /** A row as the JSON object that a definition holds. */
    json: [
      `jsonb_build_object(${all
        .filter(({ isOptional }) => !isOptional)
        .map(({ name, member }) => `'${member}', ${alias}.${name}`)
        .join(", ")})`,
      ...columns.filter(({ isOptional }) => isOptional).map((column) => optionalJson(column, alias)),
    ].join("\n  || "),
    /** The columns without ids; as what an INSERT excluded; as what a record `r` of `record` has for them. */
    names: listOf(columns, ({ name }) => name),
    excluded: listOf(columns, ({ name }) => `excluded.${name}`),
    values: listOf(columns, ({ member, type }) =>
      type === "boolean" ? `coalesce(r."${member}", false)` : `r."${member}"`,
    ),
    /** The columns of a record of `jsonb_to_recordset`, named as members. */
    record: listOf(all, ({ member, type }) => `"${member}" ${type}`),
    /** Leaves out what a definition leaves out. */
    fromStored: <Row extends object>(stored: Stored<Row>): Row =>
      Object.fromEntries(Object.entries(stored).filter(([name, value]) => value || !optional.has(name))) as Row,
  };
}

function optionalJson({ name, member, type }: ContentColumn, alias: string): string {
  const value = type === "boolean" ? `nullif(${alias}.${name}, false)` : `${alias}.${name}`;
  return `CASE WHEN ${value} IS NULL THEN '{}' ELSE jsonb_build_object('${member}', ${value}) END`;
}
