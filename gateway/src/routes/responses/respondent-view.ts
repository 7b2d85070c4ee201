import type { Respondent } from "@canvass/proto/response";
import { Type } from "typebox";
import { dateTime, id, named, nullableText } from "../schemas.ts";
import { isoTime } from "../timestamps.ts";

/** The answer to starting a respondent (contract 7.1). */
export const startedRespondentSchema = named("StartedRespondent", {
  respondentId: id,
  status: Type.String({ description: "started" }),
  versionNumber: Type.Integer({ description: "the version it stays on" }),
  startedAt: dateTime,
});

export const respondentSchema = named("Respondent", {
  respondentId: id,
  surveyId: id,
  status: Type.String({ description: "started or completed" }),
  versionNumber: Type.Integer(),
  progress: named("Progress", {
    pageId: { ...nullableText, description: "the last page it saved" },
    percentComplete: Type.Integer({ description: "share of the reachable questions that are answered, 0 to 100" }),
  }),
  startedAt: dateTime,
  completedAt: { ...nullableText, description: "date-time; only the day on a survey with full anonymity" },
});

export function startedRespondentView({ respondentId, status, versionNumber, startedAt }: Respondent) {
  return { respondentId, status, versionNumber, startedAt: isoTime(startedAt) };
}

export function respondentView(respondent: Respondent) {
  const { respondentId, surveyId, status, versionNumber, startedAt, completedAt, pageId, percentComplete } = respondent;
  return {
    respondentId,
    surveyId,
    status,
    versionNumber,
    progress: { pageId: pageId || null, percentComplete },
    startedAt: isoTime(startedAt),
    completedAt: completedAt || null,
  };
}
