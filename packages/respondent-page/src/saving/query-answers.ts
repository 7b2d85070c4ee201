const prefix = "q.";
const longestValue = 8_000;
const mostValues = 200;

/** Returns the answers in the query string of the page, by lower-case question name (`?q.<name>=`). */
export function queryAnswers(query: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [key, value] of [...new URLSearchParams(query)].slice(0, mostValues)) {
    if (!key.startsWith(prefix) || value === "" || value.length > longestValue) continue;
    const name = key.slice(prefix.length).toLowerCase();
    texts.set(name, [...(texts.get(name) ?? []), value]);
  }
  return texts;
}
