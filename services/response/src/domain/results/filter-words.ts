import { describeCondition, type SurveyDefinition } from "@canvass/questions";
import type { ResultFilter } from "./result-filter.ts";

/** Returns a phrase for each part of a filter, in English, for readers of a report. */
export function filterWords(filter: ResultFilter, definition: SurveyDefinition): string[] {
  const { isCompleted, from, to, distributorId, versionNumber, fields = {}, where } = filter;
  return [
    ...(isCompleted === undefined ? [] : [isCompleted ? "who have completed" : "who have not completed"]),
    ...(from ? [`who started on ${timeText(from)} or later`] : []),
    ...(to ? [`who started before ${timeText(to)}`] : []),
    ...(distributorId === undefined ? [] : [`who came by the distributor ${distributorId}`]),
    ...(versionNumber === undefined ? [] : [`who answer version ${versionNumber}`]),
    ...Object.entries(fields).map(([name, value]) => `whose field ${name} is “${value}”`),
    ...(where ? [`for whom holds: ${describeCondition(definition, where)}`] : []),
  ];
}

const timeText = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
