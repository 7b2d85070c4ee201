import { hash } from "node:crypto";

/** Names prepared statements by text; "" (unprepared) beyond `limit` texts, because connections hold their plans. */
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

export const statementName = createStatementNamer(500);
