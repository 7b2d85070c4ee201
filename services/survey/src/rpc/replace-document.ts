import { isSameJson } from "@canvass/values";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { verifyPassword } from "@canvass/access";
import { runInSlices } from "@canvass/fairness";
import { requireIfMatch } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import { ReplaceDocumentResponseSchema, type ReplaceDocumentRequest } from "@canvass/proto/survey-documents";
import {
  applySettingsPatch,
  type Question,
  type SurveyDefinition,
  type SurveySettingsPatch,
  type Translations,
  sameLists,
} from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { documentShapeViolations, parsingDocument, type SurveyDocument } from "../domain/read-survey-document.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { insertDocumentKeys } from "../storage/document-keys.ts";
import { replaceDraft } from "../storage/replace-draft.ts";
import { retireLeavingQuestions } from "../storage/retire-elements.ts";
import { saveSurveyTranslations } from "../storage/translations.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpDraft } from "./back-up-draft.ts";
import { pushSurvey, recordCollecting } from "./collecting-change.ts";
import { findFormerContent, type FormerContent } from "./find-former-content.ts";
import { hashSecrets } from "./hash-secrets.ts";
import { holdIfNeeded, requireHold, type Hold } from "./hold-answers.ts";
import { Overtaken, retryIfOvertaken } from "./overtaken.ts";
import { readReplacement } from "./read-replacement.ts";
import { auditedRetirement, auditedUpdate, appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedMatchingSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { toSurveyMessage } from "./survey-message.ts";
import { readTranslated } from "./translated-snapshot.ts";
import { writeCollecting } from "./write.ts";

/** Makes draft, fields and settings equal to a document (contract 6.14). Counts answers before it takes locks. */
export async function replaceDocument(
  context: SurveyContext,
  { surveyId, ifMatch, bodyJson }: ReplaceDocumentRequest,
  call: Call,
): Promise<MessageInitShape<typeof ReplaceDocumentResponseSchema>> {
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  const replay = await findReplay(context.database.sql, call, ReplaceDocumentResponseSchema, context.now());
  if (replay) {
    await pushSurvey(context, ref);
    return replay;
  }
  const document = await runInSlices(parsingDocument(bodyJson));
  const attempt = async (hold?: Hold) => {
    const former = await findFormerContent(context, ref, document, hold);
    return writeCollecting(context, call, ReplaceDocumentResponseSchema, surveyId, async (sql) => {
      requireIfMatch(ifMatch);
      const shape = () => runInSlices(documentShapeViolations(document));
      const survey = await validateShapeOnFailure(shape, () => requireLockedMatchingSurvey(sql, ref, ifMatch));
      if (survey.revision !== former?.revision) throw new Overtaken();
      const now = context.now();
      const { definition: draft, translations } = await readTranslated(sql, survey);
      const read = await readReplacement(sql, survey, { document, draft, translations, former }, now, call);
      await requireHold(sql, survey, read.settings.settings, hold);
      return { survey: toSurveyMessage(await store(sql, { survey, draft, translations, read, former }, now, call)) };
    });
  };
  return retryIfOvertaken(() => holdIfNeeded(context, ref, attempt));
}

interface Replaced {
  survey: SurveyRecord;
  draft: SurveyDefinition;
  translations: Translations;
  read: SurveyDocument;
  former: FormerContent;
}

/** Writes nothing if nothing changes. */
async function store(
  sql: Sql,
  { survey, draft, translations, read, former }: Replaced,
  now: Date,
  call: Call,
): Promise<SurveyRecord> {
  const { definition, fields, questionCount } = read;
  const settingsJson = await changedSettings(survey, read.settings);
  const isEdited = !isUnchanged(draft, definition);
  const hasOtherFields = !isSameJson({ ...survey, ...fields }, survey);
  const isTranslated = !isSameJson(translations, read.translations);
  if (!isEdited && !hasOtherFields && !isTranslated && settingsJson === undefined) return survey;
  const retired = isEdited ? await replaceBy(sql, { survey, draft, read, former }, now, call) : [];
  if (isTranslated) await saveSurveyTranslations(sql, survey, read.translations);
  const edit = isEdited && { questionCount, draftChanged: true };
  const updated = await saveSurvey(sql, survey, { ...fields, ...(settingsJson && { settingsJson }), ...edit }, now);
  if (settingsJson !== undefined) await recordCollecting(sql, updated, now);
  const { before, after } = auditedUpdate(survey, updated);
  await appendAuditEvent(sql, call, {
    at: now,
    action: "survey.document_replaced",
    resourceId: survey.surveyId,
    before: { ...before, ...(isEdited && { questionCount: survey.questionCount }) },
    after: { ...after, ...(isEdited && { questionCount }), ...auditedRetirement(retired) },
  });
  await enforceStorageQuota(sql, survey, call);
  return updated;
}

async function replaceBy(
  sql: Sql,
  { survey, draft, read, former }: Omit<Replaced, "translations">,
  now: Date,
  call: Call,
): Promise<Question[]> {
  const ids = read.definition.pages.flatMap(({ elements }) => elements.map(({ elementId }) => elementId));
  const retired = await retireLeavingQuestions(sql, survey, { kind: "named", ids }, former.answeredOf(draft), now);
  await backUpDraft(sql, survey, call, "before_restore", now);
  await replaceDraft(sql, { ...survey, revision: survey.revision + 1 }, read.definition, now);
  await insertDocumentKeys(sql, survey, read.keys);
  return retired;
}

/** Undefined if no setting changes. A password that is the stored one is no change. */
async function changedSettings(
  { settingsJson }: SurveyRecord,
  { settings, secrets }: SurveyDocument["settings"],
): Promise<string | undefined> {
  const stored = JSON.parse(settingsJson) as SurveySettingsPatch;
  const patch = structuredClone(settings);
  const changed: string[] = [];
  for (const place of secrets) {
    const [group = "", key = ""] = place.split(".");
    const hash = stored[group]?.[key];
    if (typeof hash === "string" && (await verifyPassword(String(patch[group]?.[key]), hash)))
      delete patch[group]![key];
    else changed.push(place);
  }
  if (Object.values(patch).every((values) => Object.keys(values).length === 0)) return undefined;
  return JSON.stringify(applySettingsPatch(stored, await hashSecrets(patch, changed)));
}

/** Whether a document did not change the draft. Unchanged pages are the same objects. */
function isUnchanged(before: SurveyDefinition, after: SurveyDefinition): boolean {
  const isSame =
    before.pages.length === after.pages.length && before.pages.every((page, at) => page === after.pages[at]);
  return isSame && sameLists(before, after);
}
