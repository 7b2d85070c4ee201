import type { Plan } from "@canvass/access";
import {
  shapeViolations,
  surveyFieldDefaults,
  givenSurveyFields,
  refuseViolations,
  validationFailed,
  type SurveyFields,
} from "@canvass/inputs";
import {
  buildingQuestions,
  checkSettingsPatch,
  comparisonViolations,
  createSurveyBody,
  fieldViolations,
  nameKey,
  nameResolver,
  questionWeight,
  quotaRuleViolations,
  quotaViolations,
  readFields,
  readNamedQuotas,
  resolveSettings,
  settingTemplateViolations,
  type NewQuestion,
  type NewQuestionsResult,
  type QuotaInput,
  type SurveyDefinition,
  type SurveyLists,
  type SurveySettingsPatch,
} from "@canvass/questions";
import { ownValue } from "@canvass/values";
import { logicValidator } from "./added-logic.ts";
import { emptyPage, weightValidator } from "./draft-weight.ts";
import { weighLists } from "./outline-weight.ts";
import { requireQuestionQuota, requireSettingsPlan } from "./plan-rules.ts";

export interface NewSurvey {
  fields: SurveyFields;
  /** Values at the paths in `secrets` (`access.password`) are still plain text. */
  settings: SurveySettingsPatch;
  secrets: string[];
  questions: NewQuestion[];
  lists: SurveyLists;
}

/** Validates the body of `POST /surveys` (contract 6.2). */
export function* readNewSurvey(
  body: Record<string, unknown>,
  plan: Plan,
  newId: () => string,
): Generator<void, NewSurvey> {
  const violations = shapeViolations(createSurveyBody, body);
  const checked = Object.hasOwn(body, "settings")
    ? checkSettingsPatch(body["settings"], {})
    : { settings: {}, secrets: [], violations: [] };
  violations.push(...checked.violations, ...quotaRuleViolations(body));
  const lists = { fields: readFields(ownValue(body, "fields")) };
  const built = yield* readQuestions(body, newId, lists);
  if ("violations" in built) violations.push(...built.violations);
  violations.push(...fieldViolations(lists.fields, namesIn(built), "fields"));
  if (violations.length > 0 || "violations" in built) throw validationFailed(violations);
  requireSettingsPlan(checked.settings, plan);
  requireQuestionQuota(built.questions.length, plan);
  const { secrets } = checked;
  const pages = [{ ...newDraft.pages[0]!, elements: built.questions.map(({ question }) => question) }];
  const settings = resolveSettings(checked.settings, nameResolver({ pages, ...lists }));
  const named = (ownValue(body, "quotas") ?? []) as QuotaInput[];
  const quotas = readNamedQuotas(named, { pages, ...lists }, newId);
  const definition: SurveyDefinition = { pages, ...lists, quotas };
  const refused = [...settingTemplateViolations(settings, definition), ...quotaViolations(definition, "quotas")];
  if (quotas.length > 0) {
    const weights = new Map(pages[0]!.elements.map((question) => [question.elementId, questionWeight(question)]));
    refused.push(...comparisonViolations(definition, "quotas"));
    refused.push(...(yield* weighLists({ definition, weights }, "quotas")));
  }
  refuseViolations(refused);
  return {
    fields: { ...surveyFieldDefaults, ...givenSurveyFields(body) } as SurveyFields,
    settings,
    secrets,
    questions: built.questions,
    lists: { ...lists, quotas },
  };
}

function namesIn(built: NewQuestionsResult): Set<string> {
  const questions = "violations" in built ? [] : built.questions;
  return new Set(questions.flatMap(({ question: { name } }) => (name === undefined ? [] : nameKey(name))));
}

const newDraft = { pages: [{ ...emptyPage, elements: [] }] };

/** Unlike in `POST /surveys/{id}/questions`, an empty list is valid. */
function* readQuestions(
  body: Record<string, unknown>,
  newId: () => string,
  lists: SurveyLists,
): Generator<void, NewQuestionsResult> {
  const input = Object.hasOwn(body, "questions") ? body["questions"] : [];
  if (Array.isArray(input) && input.length === 0) return { questions: [] };
  const draft = { ...lists, ...newDraft };
  const validators = [weightValidator([emptyPage]), logicValidator(draft)];
  return yield* buildingQuestions(input, newId, "questions", validators, undefined, draft);
}
