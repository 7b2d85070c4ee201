import { joinPath, type Fault } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";

/** Most bodies contain neither key. */
const suspicious = /\\u|__proto__|constructor/;

const mostFaults = 100;

/**
 * Finds keys that reach for prototypes: `__proto__`, and `prototype` inside `constructor`. Code that copies such a body
 * key by key would change what other objects inherit. `text` is the unparsed body.
 */
export function prototypeKeys(text: string, body: unknown): Fault[] {
  if (!suspicious.test(text)) return [];
  const faults: Fault[] = [];
  search(body, "", faults);
  return faults;
}

function search(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (faults.length === mostFaults) return;
    const place = joinPath(path, key);
    if (key === "__proto__" || (key === "constructor" && isJsonObject(member) && Object.hasOwn(member, "prototype"))) {
      faults.push({ path: place, message: "is not a known field" });
    } else search(member, place, faults);
  }
}
