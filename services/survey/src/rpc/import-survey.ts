import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { refuseViolations } from "@canvass/inputs";
import { ImportSurveyResponseSchema, type ImportSurveyRequest } from "@canvass/proto/survey";
import { applySettingsPatch } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { newId } from "@canvass/values";
import type { SurveyContext } from "../context.ts";
import { digestText } from "../domain/digest-text.ts";
import { firstRecord } from "../domain/first-record.ts";
import { planNamed, requireQuestionQuota, requireSettingsPlan } from "../domain/plan-rules.ts";
import { noSurvey, parsingDocument, readingSurveyDocument } from "../domain/read-survey-document.ts";
import { insertDocumentKeys } from "../storage/document-keys.ts";
import { replaceDraft } from "../storage/replace-draft.ts";
import { saveSurveyTranslations } from "../storage/translations.ts";
import { insertSurvey } from "../storage/write-survey.ts";
import { hashSecrets } from "./hash-secrets.ts";
import { auditedSurvey, recordChange } from "./record-change.ts";
import { settleStorage } from "./settle-storage.ts";
import { toSurveyMessage } from "./survey-message.ts";
import { write } from "./write.ts";

/** Creates a survey from a document, all or nothing (contract 6.14). */
export function importSurvey(
  context: SurveyContext,
  { bodyJson }: ImportSurveyRequest,
  call: Call,
): Promise<MessageInitShape<typeof ImportSurveyResponseSchema>> {
  const { workspaceId, personId, plan } = call.caller;
  return write(context, call, ImportSurveyResponseSchema, async (sql) => {
    const now = context.now();
    const document = await runInSlices(parsingDocument(bodyJson));
    const fresh = { newId: () => newId(now), isAnswered: () => false, digest: digestText };
    const read = await runInSlices(readingSurveyDocument(document, noSurvey, fresh));
    const { fields, definition, keys, settings, questionCount, translations } = read;
    refuseViolations(read.violations);
    requireSettingsPlan(settings.settings, planNamed(plan));
    requireQuestionQuota(questionCount, planNamed(plan));
    const chosen = applySettingsPatch({}, await hashSecrets(settings.settings, settings.secrets));
    const ids = { workspaceId, surveyId: newId(now), ownerAccountId: personId };
    const survey = firstRecord({ ...ids, ...fields, settingsJson: JSON.stringify(chosen), questionCount }, now);
    await insertSurvey(sql, survey);
    await replaceDraft(sql, survey, definition, now);
    await insertDocumentKeys(sql, survey, keys);
    await saveSurveyTranslations(sql, survey, translations);
    await recordChange(sql, call, {
      at: now,
      action: "survey.created",
      resourceId: survey.surveyId,
      after: { ...auditedSurvey(survey), questionCount },
    });
    await settleStorage(sql, survey, call);
    return { survey: toSurveyMessage(survey) };
  });
}
