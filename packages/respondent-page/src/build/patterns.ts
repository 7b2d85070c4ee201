import type { RE2JS as Engine } from "re2js";

let engine: typeof Engine | undefined;

/** Replaces re2js in the bundle. The engine has 40 KB and loads only for surveys with a pattern. */
export const RE2JS = {
  compile(pattern: string) {
    if (!engine) throw new Error("patterns are not loaded");
    return engine.compile(pattern);
  },
};

export async function loadPatterns(): Promise<void> {
  engine ??= (await import("re2js-engine")).RE2JS;
}
