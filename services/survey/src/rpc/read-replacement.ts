import { runInSlices } from "@canvass/fairness";
import { refuseViolations } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import {
  fixedSettingViolations,
  keyedIds,
  keyedIdsOf,
  nameKey,
  type Translations,
  type SurveyDefinition,
  type SurveySettingsPatch,
} from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { newId, type JsonObject } from "@canvass/values";
import { digestText } from "../domain/digest-text.ts";
import { planNamed, requireQuestionQuota, requireSettingsPlan } from "../domain/plan-rules.ts";
import { readingSurveyDocument, type SurveyDocument } from "../domain/read-survey-document.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { findDocumentKeys } from "../storage/document-keys.ts";
import { findRetiredIdsByName } from "../storage/element-names.ts";
import type { FormerContent } from "./find-former-content.ts";

interface Reading {
  document: JsonObject;
  draft: SurveyDefinition;
  /** Of the survey's own texts. */
  translations: Translations;
  former: FormerContent;
}

/** Reads a document against the survey that it is to replace. Throws violations, and what plan or answers forbid. */
export async function readReplacement(
  sql: Sql,
  survey: SurveyRecord,
  { document, draft, translations, former }: Reading,
  now: Date,
  call: Call,
): Promise<SurveyDocument> {
  const { retired, published, hasResponses } = former;
  const stored = JSON.parse(survey.settingsJson) as SurveySettingsPatch;
  const ids = [
    ...(await runInSlices(keyedIds(draft))),
    ...(await runInSlices(keyedIds(published))),
    ...retired.flatMap(keyedIdsOf),
  ];
  const keys = await findDocumentKeys(sql, survey, [...new Set(ids)]);
  const context = { newId: () => newId(now), isAnswered: former.entryTestFor(draft), digest: digestText };
  const keptNames = new Map([...(await findRetiredIdsByName(sql, survey)), ...answeredNames(draft, former)]);
  const present = { definition: draft, published, retired, keys, keptNames, translations, settings: stored };
  const read = await runInSlices(readingSurveyDocument(document, present, context));
  const { settings } = read.settings;
  refuseViolations([...read.violations, ...(hasResponses ? fixedSettingViolations(settings, stored) : [])]);
  const plan = planNamed(call.caller.plan);
  requireSettingsPlan(settings, plan);
  requireQuestionQuota(read.questionCount, plan, survey.questionCount);
  return read;
}

/** Returns the names of elements that are retired if the document leaves them out. */
function answeredNames(draft: SurveyDefinition, { answeredOf }: FormerContent): [nameKey: string, elementId: string][] {
  const answered = new Set(answeredOf(draft));
  return draft.pages
    .flatMap(({ elements }) => elements)
    .flatMap(({ name, questionId, elementId }): [string, string][] =>
      name !== undefined && answered.has(questionId) ? [[nameKey(name), elementId]] : [],
    );
}
