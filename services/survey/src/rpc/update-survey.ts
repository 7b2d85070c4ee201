import type { MessageInitShape } from "@bufbuild/protobuf";
import { readObject, refuseViolations, requireIfMatch } from "@canvass/inputs";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import { UpdateSurveyResponseSchema, type UpdateSurveyRequest } from "@canvass/proto/survey";
import {
  haveTemplates,
  nameResolver,
  namesFixedSetting,
  resolveSettings,
  settingTemplateViolations,
  type SurveySettingsPatch,
} from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { planNamed } from "../domain/plan-rules.ts";
import { patchShapeViolations, readSurveyPatch, requireSurveyUpdates } from "../domain/survey-patch.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { losesText, ownTranslations } from "../domain/translated-survey.ts";
import { readOutline } from "../storage/outline.ts";
import { findSurveyTranslations, saveSurveyTranslations } from "../storage/translations.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { pushSurvey, recordCollecting } from "./collecting-change.ts";
import { hashSecrets } from "./hash-secrets.ts";
import { holdIfNeeded, requireHold, type Hold } from "./hold-answers.ts";
import { retryIfOvertaken } from "./overtaken.ts";
import { auditedUpdate, appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedMatchingSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { toSurveyMessage } from "./survey-message.ts";
import { write, writeCollecting } from "./write.ts";

/** Changes a survey's fields and settings, which take effect at once (contract 6.3, 6.4). */
export async function updateSurvey(
  context: SurveyContext,
  { surveyId, ifMatch, bodyJson }: UpdateSurveyRequest,
  call: Call,
): Promise<MessageInitShape<typeof UpdateSurveyResponseSchema>> {
  const { workspaceId, plan } = call.caller;
  const ref = { workspaceId, surveyId };
  const body = readObject(bodyJson);
  requireSurveyUpdates(body);
  const asks = namesFixedSetting(body["settings"]);
  // A replay does not ask for responses again. Without a replay, `write` below claims the key.
  const replay = asks && (await findReplay(context.database.sql, call, UpdateSurveyResponseSchema, context.now()));
  if (replay) {
    await pushSurvey(context, ref);
    return replay;
  }
  const hadResponses = asks && isId(surveyId) && (await context.responses.hasResponses(ref)).hasResponses;
  const collects = "settings" in body || "active" in body;
  const work = async (sql: Sql, hold?: Hold) => {
    requireIfMatch(ifMatch);
    const find = () => requireLockedMatchingSurvey(sql, ref, ifMatch);
    const survey = await validateShapeOnFailure(() => patchShapeViolations(body), find);
    const state = {
      active: survey.active,
      settings: JSON.parse(survey.settingsJson) as SurveySettingsPatch,
      hasResponses: hadResponses || hold?.hasResponses === true,
    };
    const { fields, secrets, ...read } = readSurveyPatch(body, state, planNamed(plan));
    const settings = haveTemplates(body["settings"]) ? await withElementIds(sql, survey, read.settings) : read.settings;
    await requireHold(sql, survey, (body["settings"] ?? {}) as SurveySettingsPatch, hold);
    const settingsJson = JSON.stringify(await hashSecrets(settings, secrets));
    const now = context.now();
    const updated = await saveSurvey(sql, survey, { ...fields, settingsJson }, now);
    if (losesText(survey, updated)) await dropTranslations(sql, updated);
    const states = auditedUpdate(survey, updated);
    if (collects) await recordCollecting(sql, updated, now);
    await appendAuditEvent(sql, call, { at: now, action: "survey.updated", resourceId: surveyId, ...states });
    await enforceStorageQuota(sql, survey, call);
    return { survey: toSurveyMessage(updated) };
  };
  if (!collects) return write(context, call, UpdateSurveyResponseSchema, work);
  const attempt = (hold?: Hold) =>
    writeCollecting(context, call, UpdateSurveyResponseSchema, surveyId, (sql) => work(sql, hold));
  return retryIfOvertaken(() => holdIfNeeded(context, ref, attempt));
}

/** Drops the translations of texts that the survey itself no longer has (contract 6.17). */
async function dropTranslations(sql: Sql, survey: SurveyRecord): Promise<void> {
  const left = ownTranslations(survey, await findSurveyTranslations(sql, survey));
  await saveSurveyTranslations(sql, survey, left);
}

/** Replaces names of elements of the draft in settings by ids. Throws `validation_failed`. */
async function withElementIds(sql: Sql, survey: SurveyRef, named: SurveySettingsPatch): Promise<SurveySettingsPatch> {
  const { definition } = await readOutline(sql, survey, []);
  const settings = resolveSettings(named, nameResolver(definition));
  refuseViolations(settingTemplateViolations(settings, definition));
  return settings;
}
