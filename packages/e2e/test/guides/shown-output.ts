/** Ids, times, and what a guide leaves out. */
const varying = /\b(?=[a-z]*\d)[0-9a-z]{16}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|…/g;

const anyOf = (shown: string): string => {
  if (shown === "…") return ".*";
  return shown.endsWith("Z") ? String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z` : "[0-9a-z]{16}";
};

/**
 * Returns the pattern that real output must match: other ids and times, anything instead of `…`, and any lines
 * instead of a line with only that.
 */
export function patternOf(shown: string, flags = ""): RegExp {
  const lines = shown.trimEnd().split("\n");
  const patterns = lines.map((line) => {
    if (line === "…") return "[^]*";
    const fixed = line.split(varying).map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
    const between = [...line.matchAll(varying)].map(([found]) => anyOf(found));
    return fixed.map((text, index) => text + (between[index] ?? "")).join("");
  });
  return new RegExp(`^${patterns.join("\n")}$`, flags);
}
