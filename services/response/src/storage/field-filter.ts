const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** SQL: whether the hidden fields of the row `r` have the values of `fieldFilterJson`. */
export const matchesFieldsSql = (filter: string): string =>
  `NOT EXISTS (SELECT FROM jsonb_each(${filter}::jsonb) AS f WHERE NOT coalesce(f.value @> (r.fields -> f.key), false))`;

/** By name what the value may be: the text, or the number that it writes, which PostgreSQL may write in another way. */
export function fieldFilterJson(fields: Readonly<Record<string, string>>): string {
  const values = Object.entries(fields).map(([name, text]) => {
    const number = jsonNumber.test(text) ? Number(text) : Number.NaN;
    return [name, Number.isFinite(number) ? [text, number] : [text]] as const;
  });
  return JSON.stringify(Object.fromEntries(values));
}
