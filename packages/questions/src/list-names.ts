import type { ListRules } from "./question-type.ts";

export const listNames = ["choices", "rows", "columns"] as const satisfies readonly (keyof ListRules)[];
