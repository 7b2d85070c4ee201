const prefix = "q.";
const longestValue = 8_000;
const mostValues = 200;

/** Returns the texts that the page's address gives for questions, by name in lower case (`?q.<name>=`). */
export function addressAnswers(query: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [key, value] of [...new URLSearchParams(query)].slice(0, mostValues)) {
    if (!key.startsWith(prefix) || value === "" || value.length > longestValue) continue;
    const name = key.slice(prefix.length).toLowerCase();
    texts.set(name, [...(texts.get(name) ?? []), value]);
  }
  return texts;
}
