import { runInSlices } from "@canvass/fairness";
import { refuseViolations } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { applySettingsPatch, noFormer, type SurveySettingsPatch } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { newId, type JsonObject } from "@canvass/values";
import { digestText } from "../domain/digest-text.ts";
import { firstRecord } from "../domain/first-record.ts";
import { planNamed, requireQuestionQuota, requireSettingsPlan } from "../domain/plan-rules.ts";
import { readingSurveyDocument } from "../domain/read-survey-document.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { insertDocumentKeys } from "../storage/document-keys.ts";
import { replaceDraft } from "../storage/replace-draft.ts";
import { saveSurveyTranslations } from "../storage/translations.ts";
import { insertSurvey } from "../storage/write-survey.ts";
import { hashSecrets } from "./hash-secrets.ts";
import { auditedSurvey, appendAuditEvent } from "./append-audit-event.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";

export interface NewFromDocument {
  document: JsonObject;
  /** Stored secrets that a `true` in the document keeps. */
  secrets?: SurveySettingsPatch;
  /** Where it comes from, for the audit log. */
  copiedFrom?: object;
}

/** Inserts a survey that equals the document, all or nothing. Throws `validation_failed` and errors of the plan. */
export async function insertDocument(
  sql: Sql,
  call: Pick<Call, "caller" | "clientAddress" | "requestId">,
  { document, secrets = {}, copiedFrom }: NewFromDocument,
  now: Date,
): Promise<SurveyRecord> {
  const { workspaceId, personId, plan } = call.caller;
  const fresh = { newId: () => newId(now), isAnswered: () => false, digest: digestText };
  const read = await runInSlices(readingSurveyDocument(document, { ...noFormer, settings: secrets }, fresh));
  const { fields, definition, keys, settings, questionCount, translations } = read;
  refuseViolations(read.violations);
  requireSettingsPlan(applySettingsPatch(secrets, settings.settings), planNamed(plan));
  requireQuestionQuota(questionCount, planNamed(plan));
  const chosen = applySettingsPatch(secrets, await hashSecrets(settings.settings, settings.secrets));
  const ids = { workspaceId, surveyId: newId(now), ownerAccountId: personId };
  const survey = firstRecord({ ...ids, ...fields, settingsJson: JSON.stringify(chosen), questionCount }, now);
  await insertSurvey(sql, survey);
  await replaceDraft(sql, survey, definition, now);
  await insertDocumentKeys(sql, survey, keys);
  await saveSurveyTranslations(sql, survey, translations);
  await appendAuditEvent(sql, call, {
    at: now,
    action: "survey.created",
    resourceId: survey.surveyId,
    after: { ...auditedSurvey(survey), questionCount, ...(copiedFrom && { copiedFrom }) },
  });
  await enforceStorageQuota(sql, survey, call);
  return survey;
}
