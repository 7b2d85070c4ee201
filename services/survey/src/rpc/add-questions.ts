import type { MessageInitShape } from "@bufbuild/protobuf";
import { newId } from "@canvass/inputs";
import { AddQuestionsResponseSchema, type AddQuestionsRequest } from "@canvass/proto/survey";
import { questionTypeOf, type Question } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { inTurns, mapInTurns } from "@canvass/telemetry";
import type { SurveyContext } from "../context.ts";
import { addedShapeFaults, readAddedQuestions } from "../domain/added-questions.ts";
import { planNamed } from "../domain/plan-rules.ts";
import { findDraftPages } from "../storage/draft.ts";
import { insertPages, insertQuestions, titlePage } from "../storage/insert-questions.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpOldDraft } from "./back-up-draft.ts";
import { readBody } from "./read-body.ts";
import { toChoice, toColumn } from "./question-lists.ts";
import { auditedQuestions, recordChange } from "./record-change.ts";
import { requireLockedSurvey, shapeFirst } from "./require-survey.ts";
import { write } from "./write.ts";

/** Appends questions to the draft, all or nothing (contract 6.6). What is collected stays as it was published. */
export function addQuestions(
  context: SurveyContext,
  { surveyId, bodyJson }: AddQuestionsRequest,
  call: Call,
): Promise<MessageInitShape<typeof AddQuestionsResponseSchema>> {
  const { workspaceId, plan } = call.caller;
  return write(context, call, AddQuestionsResponseSchema, async (sql) => {
    const body = readBody(bodyJson);
    const find = () => requireLockedSurvey(sql, { workspaceId, surveyId });
    const survey = await shapeFirst(() => inTurns(addedShapeFaults(body)), find);
    const pages = await findDraftPages(sql, survey);
    const now = context.now();
    const added = await inTurns(readAddedQuestions(body, pages, planNamed(plan), () => newId(now)));
    const questions = added.questions.map(({ question }) => question);
    await backUpOldDraft(sql, survey, call, now);
    await titlePage(sql, survey, added.titled);
    await insertPages(sql, { ...survey, pages: added.newPages, after: pages.length });
    await insertQuestions(sql, survey, questions, added.placements, now);
    const questionCount = survey.questionCount + questions.length;
    await saveSurvey(sql, survey, { questionCount, draftChanged: true }, now);
    const messages = await mapInTurns(questions, (question, index) =>
      toMessage(question, added.placements[index]!.pageId),
    );
    await recordChange(sql, call, {
      at: now,
      action: "survey.questions_added",
      resourceId: surveyId,
      after: { questions: auditedQuestions(messages) },
    });
    return { questions: messages };
  });
}

function toMessage(question: Question, pageId: string) {
  const { elementId, questionId, type, text, choices = [], rows = [], columns = [] } = question;
  return {
    elementId,
    questionId,
    pageId,
    type,
    typeName: questionTypeOf(question).typeName,
    text: text ?? "",
    choices: choices.map(toChoice),
    rows: rows.map(toChoice),
    columns: columns.map(toColumn),
  };
}
