import type { StartRevisions } from "../../storage/collecting/start-revisions.ts";
import { unpushed } from "./kept-states.ts";

/** The revisions by which something was permitted. */
export interface JudgedBy {
  survey: string;
  /** Absent: it names no distributor. */
  link?: string;
}

/** Whether what decided has changed until the transaction that holds it, so that it has to be judged anew. */
export function isOutdated(judgedBy: JudgedBy, { survey, link, isContactGone }: StartRevisions): boolean {
  if (isContactGone || (survey ?? unpushed) !== judgedBy.survey) return true;
  return judgedBy.link !== undefined && (link ?? unpushed) !== judgedBy.link;
}
