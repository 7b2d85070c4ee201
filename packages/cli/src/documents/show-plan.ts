import type { Api } from "@canvass/sdk";
import { showTable } from "../show-table.ts";
import type { SurveyPlan } from "./plan-survey.ts";
import { publishes, toAcknowledge } from "./publication.ts";

/** Shows changes with their class, one line each. */
export function showChanges(changes: readonly Api.DraftChange[]): string {
  const rows = changes.map((change) => [change.class, change.message, answers(change)]);
  return showTable(["class", "change", "affects"], rows);
}

function answers({ affectedResponses: count }: Api.DraftChange): string {
  if (count === 0) return "";
  return count === 1 ? "1 answer" : `${count} answers`;
}

/** Shows the effect of applying a file. */
export function showPlan(file: string, plan: SurveyPlan): string {
  const { surveyId, writes, diff, drift, baseVersion, changes, issues } = plan;
  if (writes.length === 0 && !publishes(plan)) return `Nothing to do: survey ${surveyId} is as ${file} says.`;
  const compared = baseVersion === null ? "for the first time" : `after version ${baseVersion}`;
  const parts = [
    drift && `Survey ${surveyId} was changed since it was last pulled or applied; ${file} would undo that.`,
    writes.length > 0 && `To write: ${writes.join(", ")}`,
    writes.length > 0 && (diff ?? "The texts differ in too many lines to show."),
    publishes(plan) ? `To publish ${compared}:\n${showChanges(changes)}` : "Nothing to publish.",
    issues.length > 0 && `It cannot be published:\n${issues.map((issue) => `  ${issueLine(issue)}`).join("\n")}`,
    plan.class === "breaking" && "Breaking changes are never published: undo them, and add a new question instead.",
    toAcknowledge(changes).length > 0 &&
      plan.class !== "breaking" &&
      "Changes that affect results are published only if they are acknowledged.",
  ];
  return parts.filter((part) => part !== false).join("\n\n");
}

export const issueLine = ({ path, message, suggestion }: Api.DraftIssue): string => `${path}: ${message} ${suggestion}`;
