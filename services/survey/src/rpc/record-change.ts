import { appendEvents, auditEvent, changedParts, type AuditedChange } from "@canvass/events";
import { surveyFieldsOf } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import type { Call } from "@canvass/rpc";
import { settingsForAudit } from "../domain/rendered-settings.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";

/** Tells the audit log of a change, in the transaction that makes it. */
export async function recordChange(sql: Sql, call: Call, change: Omit<AuditedChange, "source">): Promise<void> {
  await appendEvents(sql, [auditEvent(call, { source: "survey", ...change })]);
}

/** A survey as the audit log shows it, without secrets; `before` decides whether one of them was changed. */
export function auditedSurvey(survey: SurveyRecord, before: SurveyRecord = survey) {
  const settings = settingsForAudit(survey.settingsJson, before.settingsJson);
  return { ...surveyFieldsOf(survey), settings };
}

/** The two sides of an update: only what it changed. */
export function auditedUpdate(before: SurveyRecord, after: SurveyRecord): Pick<AuditedChange, "before" | "after"> {
  const [was, is] = changedParts(auditedSurvey(before), auditedSurvey(after, before));
  return { before: was, after: is };
}

const longestText = 100;

/** Added questions as the audit log shows them: which they are, and how they begin. */
export function auditedQuestions(questions: readonly { elementId: string; typeName: string; text: string }[]) {
  return questions.map(({ elementId, typeName, text }) => ({
    elementId,
    type: typeName,
    // Cut first: twice as many UTF-16 units hold at least so many characters, and texts can be long.
    text: Array.from(text.slice(0, 2 * longestText))
      .slice(0, longestText)
      .join(""),
  }));
}
