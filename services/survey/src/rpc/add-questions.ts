import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { readObject } from "@canvass/inputs";
import { newId, ownValue } from "@canvass/values";
import { AddQuestionsResponseSchema, type AddQuestionsRequest } from "@canvass/proto/survey-elements";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { askedByAdded } from "../domain/added-logic.ts";
import { addedShapeViolations, namesIn, readAddedQuestions } from "../domain/added-questions.ts";
import { planNamed } from "../domain/plan-rules.ts";
import { findWeighedPages } from "../storage/draft.ts";
import { findTakenNameKeys } from "../storage/element-names.ts";
import { insertPages, insertQuestions, titlePage } from "../storage/insert-questions.ts";
import { readOutline } from "../storage/outline.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpOldDraft } from "./back-up-draft.ts";
import { auditedPages, auditedQuestions, appendAuditEvent } from "./append-audit-event.ts";
import { renderAddedQuestions } from "./render-added-questions.ts";
import { requireLockedSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { write } from "./write.ts";

/** Appends questions to the draft, all or nothing (contract 6.6). The published version stays unchanged. */
export function addQuestions(
  context: SurveyContext,
  { surveyId, bodyJson }: AddQuestionsRequest,
  call: Call,
): Promise<MessageInitShape<typeof AddQuestionsResponseSchema>> {
  const { workspaceId, plan } = call.caller;
  return write(context, call, AddQuestionsResponseSchema, async (sql) => {
    const body = readObject(bodyJson);
    const find = () => requireLockedSurvey(sql, { workspaceId, surveyId });
    const survey = await validateShapeOnFailure(() => runInSlices(addedShapeViolations(body)), find);
    const pages = await findWeighedPages(sql, survey);
    const now = context.now();
    const taken = await findTakenNameKeys(sql, survey, namesIn(body));
    const asked = askedByAdded(ownValue(body, "questions"));
    const draft = asked ? (await readOutline(sql, survey, asked)).definition : { pages: [] };
    const added = await runInSlices(readAddedQuestions(body, pages, planNamed(plan), () => newId(now), taken, draft));
    const questions = added.questions.map(({ question }) => question);
    await backUpOldDraft(sql, survey, call, now);
    await titlePage(sql, survey, added.titled);
    await insertPages(sql, { ...survey, pages: added.newPages, after: pages.length });
    await insertQuestions(sql, survey, questions, added.placements, now);
    const questionCount = survey.questionCount + questions.length;
    await saveSurvey(sql, survey, { questionCount, draftChanged: true }, now);
    await appendAuditEvent(sql, call, {
      at: now,
      action: "survey.questions_added",
      resourceId: surveyId,
      after: { ...auditedPages(added), questions: auditedQuestions(questions) },
    });
    await enforceStorageQuota(sql, survey, call);
    return { questionsJson: await renderAddedQuestions(questions, added.placements) };
  });
}
