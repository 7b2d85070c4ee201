import type { StartRevisions } from "../../storage/collecting/start-revisions.ts";
import { unpushed } from "./kept-states.ts";

/** Revisions that a decision was based on. */
export interface JudgedBy {
  survey: string;
  link?: string;
}

export function isOutdated(judgedBy: JudgedBy, { survey, link, isContactGone }: StartRevisions): boolean {
  if (isContactGone || (survey ?? unpushed) !== judgedBy.survey) return true;
  return judgedBy.link !== undefined && (link ?? unpushed) !== judgedBy.link;
}
