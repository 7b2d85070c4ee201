import type { attemptOutcomes } from "@canvass/inputs";

/** How an attempt ended (contract 8.10). */
export type Outcome = (typeof attemptOutcomes)[number];
