import { type Violation, joinPath } from "@canvass/inputs";

/** Adds a violation for each unknown or repeated id. `name` ends the message, such as "a choice of this question". */
export function checkUniqueIds(
  ids: readonly (string | null)[],
  isKnown: (id: string) => boolean,
  name: string,
  path: string,
  violations: Violation[],
  field?: string,
): void {
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (id === null) continue;
    const at = joinPath(path, index);
    const place = field === undefined ? at : joinPath(at, field);
    if (!isKnown(id)) violations.push({ path: place, message: `is not ${name}` });
    else if (seen.has(id)) violations.push({ path: place, message: "is named twice" });
    seen.add(id);
  }
}
