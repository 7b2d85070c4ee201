const name = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
/** In UTF-16 units: twice the 1,000 characters of a hidden field. */
const longestValue = 2_000;
/** A survey has at most 50 fields. */
const mostFields = 100;

/** Returns the query parameters of the page that may be hidden fields; the service stores those that the survey has. */
export function queryFields(query: string): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(query)) {
    const isFitting = name.test(key) && value !== "" && value.length <= longestValue && !fields.has(key);
    if (isFitting && fields.size < mostFields) fields.set(key, value);
  }
  return Object.fromEntries(fields);
}
