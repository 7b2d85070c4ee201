import { RE2JS } from "re2js";

const largestProgram = 500;
const mostCached = 1_000;
const compiled = new Map<string, RE2JS>();

/** The sentence saying why a pattern cannot be used, or null. Patterns are RE2 syntax: no look-around, no references. */
export function patternFault(pattern: string): string | null {
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size > largestProgram ? "is too complicated a pattern" : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    return `is not a pattern this service can use (${reason.slice(0, 200)})`;
  }
}

/**
 * True when the pattern occurs somewhere in the text (anchor it with ^ and $ to ask for the whole). Takes time linear
 * in the text. Compiled patterns are kept by their source. A pattern that does not compile matches everything: it
 * was refused when it was set.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let program = compiled.get(pattern);
  if (!program) {
    if (patternFault(pattern) !== null) return true;
    program = RE2JS.compile(pattern);
    if (compiled.size >= mostCached) compiled.clear();
    compiled.set(pattern, program);
  }
  // Runs on automata: many times faster than a search that also looks for groups.
  return program.test(text);
}
