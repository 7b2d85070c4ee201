import { joinPath, type Violation } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";

/** Most bodies contain neither key and need no search. */
const suspicious = /\\u|__proto__|constructor/;

const mostViolations = 100;

/** Finds `__proto__`, and `prototype` inside `constructor`. Copied, they would change what other objects inherit. */
export function prototypeKeys(text: string, body: unknown): Violation[] {
  if (!suspicious.test(text)) return [];
  const violations: Violation[] = [];
  search(body, "", violations);
  return violations;
}

function search(value: unknown, path: string, violations: Violation[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (violations.length === mostViolations) return;
    const keyPath = joinPath(path, key);
    if (key === "__proto__" || (key === "constructor" && isJsonObject(member) && Object.hasOwn(member, "prototype"))) {
      violations.push({ path: keyPath, message: "is not a known field" });
    } else search(member, keyPath, violations);
  }
}
