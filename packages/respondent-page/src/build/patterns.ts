import type { RE2JS as Engine } from "re2js";

let engine: typeof Engine | undefined;

/** Stands for re2js in the bundle: the engine is 40 KB and comes only with a survey that has a pattern. */
export const RE2JS = {
  compile(pattern: string) {
    if (!engine) throw new Error("patterns are not loaded");
    return engine.compile(pattern);
  },
};

export async function loadPatterns(): Promise<void> {
  engine ??= (await import("re2js-engine")).RE2JS;
}
