import { runInSlices } from "@canvass/fairness";
import { refuseViolations } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { readingTranslation, type TranslatedSurvey, type TranslationInput } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { digestText } from "../domain/digest-text.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { saveTranslations } from "../storage/translations.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpOldDraft } from "./back-up-draft.ts";
import { appendAuditEvent } from "./append-audit-event.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";

/** Stores a translation of a locked survey. Throws every violation; writes nothing if nothing changes. */
export async function storeTranslation(
  sql: Sql,
  survey: SurveyRecord,
  translated: TranslatedSurvey,
  input: TranslationInput,
  now: Date,
  call: Call,
): Promise<SurveyRecord> {
  const { changes, violations } = await runInSlices(readingTranslation(translated, input, digestText));
  refuseViolations(violations);
  if (changes.length === 0) return survey;
  const isEdit = changes.some(({ kind }) => kind !== "survey");
  if (isEdit) await backUpOldDraft(sql, survey, call, now);
  await saveTranslations(sql, survey, changes);
  const saved = await saveSurvey(sql, survey, isEdit ? { draftChanged: true } : {}, now);
  const after = { language: input.language, changed: changes.length };
  await appendAuditEvent(sql, call, { at: now, action: "survey.translated", resourceId: survey.surveyId, after });
  await enforceStorageQuota(sql, survey, call);
  return saved;
}
