import { RE2JS } from "re2js";

/** RE2 program size, a rough measure of cost. */
const largestProgram = 500;
const mostCached = 1_000;
const compiled = new Map<string, RE2JS>();

/** Returns why a pattern is invalid, or null. Patterns use RE2 syntax: no lookaround, no backreferences. */
export function patternViolation(pattern: string): string | null {
  try {
    const size = RE2JS.compile(pattern).programSize();
    return size > largestProgram ? "is too complicated a pattern" : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    return `is not a pattern this service can use (${reason.slice(0, 200)})`;
  }
}

/** True if the pattern occurs in the text, in linear time. An invalid pattern, which is refused when set, matches. */
export function matchesPattern(pattern: string, text: string): boolean {
  let program = compiled.get(pattern);
  if (!program) {
    if (patternViolation(pattern) !== null) return true;
    program = RE2JS.compile(pattern);
    if (compiled.size >= mostCached) compiled.clear();
    compiled.set(pattern, program);
  }
  // `test` captures no groups, so RE2JS can use its DFA, which is many times faster.
  return program.test(text);
}
