import type { StartRevisions } from "../../storage/collecting/start-revisions.ts";
import { unpushedRevision } from "./cached-states.ts";

/** Revisions that a decision was based on. */
export interface ValidatedAgainst {
  survey: string;
  link?: string;
}

export function isOutdated(
  validatedAgainst: ValidatedAgainst,
  { survey, link, isContactGone }: StartRevisions,
): boolean {
  if (isContactGone || (survey ?? unpushedRevision) !== validatedAgainst.survey) return true;
  return validatedAgainst.link !== undefined && (link ?? unpushedRevision) !== validatedAgainst.link;
}
