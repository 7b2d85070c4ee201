import type { Words } from "./words.ts";

type ClosedWord = "used" | "notYet" | "full" | "over";

const byReason: Record<string, ClosedWord> = {
  link_used: "used",
  link_not_open_yet: "notYet",
  not_open_yet: "notYet",
  link_limit: "full",
  response_limit: "full",
  screened_out: "full",
  link_closed: "over",
  closed: "over",
};

/** Returns why the survey accepts no answers. `reason` is the one in `survey_not_collecting`. */
export const closedText = (words: Words, reason: string | undefined): string =>
  words[byReason[reason ?? ""] ?? "closed"];
