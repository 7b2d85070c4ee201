import { hash } from "node:crypto";

/**
 * Names texts for prepared statements: equal texts get equal names. Every name is a plan kept on every connection, so
 * beyond `limit` different texts the answer is "", which leaves a statement unprepared.
 */
export function createStatementNamer(limit: number): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= limit) return "";
    const name = `s_${hash("sha256", text).slice(0, 24)}`;
    names.set(text, name);
    return name;
  };
}
