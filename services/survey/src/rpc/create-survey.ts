import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { readObject } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { newId } from "@canvass/values";
import { CreateSurveyResponseSchema, type CreateSurveyRequest } from "@canvass/proto/survey";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { emptyPage } from "../domain/draft-weight.ts";
import { firstRecord } from "../domain/first-record.ts";
import { readNewSurvey, type NewSurvey } from "../domain/new-survey.ts";
import { placeQuestions, type Placement } from "../domain/place-questions.ts";
import { planNamed } from "../domain/plan-rules.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { insertPages, insertQuestions } from "../storage/insert-questions.ts";
import { saveLists } from "../storage/survey-lists.ts";
import { insertSurvey } from "../storage/write-survey.ts";
import { hashSecrets } from "./hash-secrets.ts";
import { auditedSurvey, appendAuditEvent } from "./append-audit-event.ts";
import { renderAddedQuestions } from "./render-added-questions.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { toSurveyMessage } from "./survey-message.ts";
import { write } from "./write.ts";

/** Creates a survey with the given questions, all or nothing, or with one empty page (contract 6.2). */
export function createSurvey(
  context: SurveyContext,
  { bodyJson }: CreateSurveyRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateSurveyResponseSchema>> {
  const { workspaceId, personId, plan } = call.caller;
  return write(context, call, CreateSurveyResponseSchema, async (sql) => {
    const now = context.now();
    const input = await runInSlices(readNewSurvey(readObject(bodyJson), planNamed(plan), () => newId(now)));
    const { fields, settings, secrets, questions, lists } = input;
    const settingsJson = JSON.stringify(await hashSecrets(settings, secrets));
    const ids = { workspaceId, surveyId: newId(now), ownerAccountId: personId };
    const survey = firstRecord({ ...ids, ...fields, settingsJson, questionCount: questions.length }, now);
    await insertSurvey(sql, survey);
    await saveLists(sql, survey, lists);
    const placements = await insertDraft(sql, survey, questions, now);
    await appendAuditEvent(sql, call, {
      at: now,
      action: "survey.created",
      resourceId: survey.surveyId,
      after: { ...auditedSurvey(survey), questionCount: questions.length },
    });
    await enforceStorageQuota(sql, survey, call);
    const contents = questions.map(({ question }) => question);
    return { survey: toSurveyMessage(survey), questionsJson: await renderAddedQuestions(contents, placements) };
  });
}

async function insertDraft(
  sql: Sql,
  survey: SurveyRecord,
  questions: NewSurvey["questions"],
  now: Date,
): Promise<Placement[]> {
  const first = { ...emptyPage, pageId: newId(now) };
  const titles = questions.map(({ pageTitle }) => pageTitle);
  const { placements, newPages, titled } = placeQuestions([first], undefined, titles, () => newId(now));
  const pages = [{ pageId: first.pageId, title: titled?.title ?? null }, ...newPages];
  await insertPages(sql, { ...survey, pages, after: 0 });
  const contents = questions.map(({ question }) => question);
  await insertQuestions(sql, survey, contents, placements, now);
  return placements;
}
