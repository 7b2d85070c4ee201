/** A column that holds a member of a page or a question. */
export interface ContentColumn<Member extends string = string> {
  name: string;
  member: Member;
  type: "text" | "jsonb" | "int2" | "boolean";
  /** A definition leaves the member out where the column is null or false. */
  isOptional?: true;
}

type Columns = readonly ContentColumn[];

export const columnNames = (columns: Columns): string => columns.map(({ name }) => name).join(", ");

/** The columns of a table's alias, to be read as members. */
export const readSql = (columns: Columns, alias: string): string =>
  columns.map(({ name, member }) => `${alias}.${name} AS "${member}"`).join(", ");

/** The columns of a record of `jsonb_to_recordset`, with the members' names. */
export const recordSql = (columns: Columns): string =>
  columns.map(({ member, type }) => `"${member}" ${type}`).join(", ");

/** What a record has for the columns. */
export const valuesSql = (columns: Columns, record: string): string =>
  columns
    .map(({ member, type }) =>
      type === "boolean" ? `coalesce(${record}."${member}", false)` : `${record}."${member}"`,
    )
    .join(", ");

/** An expression for the row of an alias as a JSON object that a definition holds. */
export function jsonSql(columns: Columns, alias: string): string {
  const whole = columns
    .filter(({ isOptional }) => !isOptional)
    .map(({ name, member }) => `'${member}', ${alias}.${name}`);
  const optional = columns
    .filter(({ isOptional }) => isOptional)
    .map(({ name, member, type }) => {
      const value = type === "boolean" ? `nullif(${alias}.${name}, false)` : `${alias}.${name}`;
      return `CASE WHEN ${value} IS NULL THEN '{}' ELSE jsonb_build_object('${member}', ${value}) END`;
    });
  return [`jsonb_build_object(${whole.join(", ")})`, ...optional].join("\n  || ");
}

/** As read from columns: an optional member that a definition leaves out is null or false. */
export type Stored<Row> = {
  [Member in keyof Row]: object extends Pick<Row, Member> ? Row[Member] | null : Row[Member];
};

/** Leaves out what a definition leaves out. */
export function fromStored<Row extends object>(columns: Columns, stored: Stored<Row>): Row {
  const optional = new Set(columns.filter(({ isOptional }) => isOptional).map(({ member }) => member));
  return Object.fromEntries(Object.entries(stored).filter(([name, value]) => value || !optional.has(name))) as Row;
}
