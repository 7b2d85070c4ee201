export { answerKey, parseAnswerKey } from "./answer-key.ts";
export { answerKeysOf } from "./answer-keys-of.ts";
export { answerInputByType } from "./answers/answer-input-by-type.ts";
export { answerByType, answerValueSchema } from "./answers/answer-schemas.ts";
export { makingAnswersSchema, valueSchemaOf } from "./answers/answers-schema.ts";
export { findQuestionType, questionTypes, typeNames, questionTypeOf } from "./catalogue.ts";
export { choicesAndOther } from "./chosen-choices.ts";
export {
  answerNumber,
  findAnswerPlace,
  findElement,
  findVisitedPage,
  withCarriedChoices,
  indexOf,
  type Visit,
  type PlacedElement,
} from "./definition-index.ts";
export { conditionSchema, nullableCondition, type Condition } from "./conditions/condition.ts";
export { conditionInput } from "./conditions/condition-input.ts";
export { exportBody, type ExportBody } from "./export-body.ts";
export { fulfils } from "./conditions/fulfils.ts";
export { describeCondition } from "./conditions/describe-condition.ts";
export { readCondition } from "./conditions/read-condition.ts";
export { askedContext, askedElements, mapLeaves } from "./conditions/tree.ts";
export {
  choiceSchema,
  columnSchema,
  constraintSchema,
  loopSchema,
  pageSchema,
  skipRuleSchema,
  surveyDefinitionSchema,
  type Choice,
  type Column,
  type Constraint,
  type ElementLogic,
  type Loop,
  type Page,
  type Question,
  type SkipRule,
  type SurveyDefinition,
  type Translations,
} from "./definition.ts";
export { elementIdInKey, keyedIds, keyedIdsOf, type DocumentKeys } from "./document/document-keys.ts";
export { surveyDocumentSchema } from "./document/document-schema.ts";
export { noFormer, type FormerSurvey } from "./document/former-survey.ts";
export { leaveOutTranslations } from "./document/leave-out-translations.ts";
export { readingDocument, type DocumentResult } from "./document/read-document.ts";
export { settingsOfDocument } from "./document/document-settings.ts";
export { writingDocument } from "./document/write-document.ts";
export { allMarkFields, marksOf } from "./entry-marks.ts";
export { elementByType, typeSettingsSchema } from "./element-schemas.ts";
export { conditionalLists } from "./conditional-entries.ts";
export { choicesFromSchema, whichChoices, type ChoicesFrom } from "./choices-from.ts";
export { conditionsOf, logicFields } from "./element-logic.ts";
export { namesOf, readName } from "./element-names.ts";
export { nameKey } from "./name-key.ts";
export { elementSettingsSchema } from "./element-settings.ts";
export { fieldViolations } from "./fields/field-violations.ts";
export { fieldsBody, hiddenFieldSchema, type FieldValue, type HiddenField } from "./fields/hidden-field.ts";
export { readStartFields, type StartFields } from "./fields/read-start-fields.ts";
export { readFields } from "./fields/read-fields.ts";
export { dropEmptyPages } from "./structure/drop-empty-pages.ts";
export { withoutEntries } from "./without-entries.ts";
export { writtenName } from "./export-cells.ts";
export { areRanks, readCells } from "./read-cells.ts";
export { finish } from "./finish.ts";
export { edgeNumbers, isEdgeNumber, mostNumbers, type HistogramBar } from "./histogram.ts";
export { isEmail, isPlainWebUrl, plainWebUrlViolation } from "./formats.ts";
export { shownDefinition, shownElements, shownItems, shownPages } from "./order/shown-definition.ts";
export { orderSeedOf, shownOrder } from "./order/shown-order.ts";
export { shownEntries, shuffledLists, type ShuffledList } from "./order/shuffled-lists.ts";
export {
  brokenConstraints,
  dependsOnAnswers,
  hasConstraints,
  hiddenEntriesLookup,
  isLastReachable,
  isLinear,
  isReachable,
  missingRequired,
  newlyMissing,
  keepWalk,
  reachablePages,
  requiredKeys,
  shownKeyPredicate,
  type Answers,
  type BrokenConstraint,
} from "./logic.ts";
export { judgingElements } from "./judging-elements.ts";
export { mayEndOn } from "./last-pages.ts";
export { parseTimestamp, type DateTimeMode } from "./dates.ts";
export { mergeBars } from "./merge-bars.ts";
export { mergeVersions } from "./merge-versions.ts";
export {
  buildingQuestions,
  buildQuestions,
  mostQuestions,
  type ValidateTogether,
  type NewQuestion,
  type NewQuestionsResult,
} from "./new-questions.ts";
export { changeClasses, type ChangeClass } from "./change-class.ts";
export { draftChangeSchema } from "./changes/draft-change-schema.ts";
export { type Answered, type Change, type FormerQuestions } from "./changes/change.ts";
export { compareDefinitions, comparingDefinitions } from "./changes/compare-definitions.ts";
export { choiceBody, choiceOrderBody, choicesBody, otherBody } from "./edits/choices.ts";
export { npsLabelBody, npsSettingsBody, ratingLabelBody, ratingSettingsBody } from "./edits/scales.ts";
export {
  editElement,
  elementEditViolations,
  violationsOfEdit,
  withContinuedTexts,
  type EditOutcome,
} from "./edits/edit-element.ts";
export { elementEdits, type ElementEditName } from "./edits/element-edits.ts";
export { countEntries } from "./entry-counts.ts";
export {
  answerInput,
  batchBody,
  batchItem,
  linkSubmissionBody,
  mostAnswers,
  submissionBody,
  type BatchItemInput,
  type SubmissionInput,
  type SubmittedAnswer,
} from "./submission-body.ts";
export { addQuestionsBody, createSurveyBody, updateSurveyBody } from "./survey-bodies.ts";
export { publicElementByType } from "./public/public-element-by-type.ts";
export { fieldFormats } from "./definition.ts";
export { isMarkdown, withPlainText } from "./text-format.ts";
export { markdownToHtml, markdownToText } from "./texts/render-markdown.ts";
export { makingPublicDefinition, publicDefinition } from "./public/public-definition.ts";
export { describingDefinition } from "./piping/described-texts.ts";
export { mapTemplates, templatesOf } from "./piping/piped-texts.ts";
export {
  namesContact,
  pipedQuestion,
  pipedText,
  pipedValues,
  type PipedRespondent,
  type ValueOf,
} from "./piping/piped-values.ts";
export { conditionResolver, resolveConditions } from "./conditions/named-conditions.ts";
export { nameResolver, namesForIds } from "./piping/resolve-names.ts";
export { haveTemplates, resolveSettings, settingTemplateViolations } from "./piping/setting-templates.ts";
export { fillTemplate, hasBraces, parseTemplate } from "./piping/template.ts";
export { elementTemplateViolations, pageTitleViolations } from "./piping/template-violations.ts";
export { asAddress, asMarkdown } from "./piping/write-value.ts";
export { sentTextPath } from "./edits/sent-text-path.ts";
export { prefillNames, type PrefillName } from "./prefill/prefill-names.ts";
export { readPrefilled } from "./prefill/read-prefilled.ts";
export { decidedQuotas, matchingQuotas } from "./quotas/matching-quotas.ts";
export {
  quotaRuleViolations,
  quotasBody,
  quotaShapeViolations,
  readNamedQuotas,
  readQuotas,
  type QuotaInput,
} from "./quotas/quota-input.ts";
export { quotaViolations } from "./quotas/quota-violations.ts";
export { onFullActions, quotaSchema, withoutTranslations, type Quota, type StoredQuota } from "./quotas/quota.ts";
export { readingDefinition, readingPages } from "./read-definition.ts";
export {
  publicDefinitionSchema,
  type PublicChoice,
  type PublicColumn,
  type PublicDefinition,
  type PublicElement,
  type PublicPage,
} from "./public/public-schema.ts";
export { type RespondentContext } from "./respondent-context.ts";
export {
  type ExportCell,
  type ExportColumn,
  type ExportName,
  type ExportValue,
  type ExportLabels,
  type FileFacts,
  type FileRules,
  type ListRules,
  type QuestionCell,
  type QuestionType,
} from "./question-type.ts";
export type { Random } from "./samples/random.ts";
export { sampleFields } from "./samples/sample-fields.ts";
export { sampleRespondent } from "./samples/sample-respondent.ts";
export {
  applySettingsPatch,
  checkSettingsPatch,
  fixedSettingViolations,
  settingsWithDefaults,
  settingsBeyondPlan,
  settablePathsText,
  namesFixedSetting,
  settingsPatchSchema,
  type SettingsPatchResult,
} from "./settings-patch.ts";
export {
  checkDefinition,
  checkingDefinition,
  type DefinitionLimits,
  type DraftIssue,
} from "./structure/check-definition.ts";
export { newLogicViolations, placedLogicViolations } from "./structure/logic-violations.ts";
export { orderElementsBody, orderElements } from "./structure/order-elements.ts";
export { pagePatchViolations, patchPageBody, patchPage } from "./structure/patch-page.ts";
export { removeElement } from "./structure/remove-element.ts";
export type { CleanedPage } from "./structure/remove-rules.ts";
export { replaceQuestion, type Replacement } from "./structure/replace-question.ts";
export { restoringDefinition } from "./structure/restore-definition.ts";
export {
  placedSettings,
  storedSetting,
  surveySettings,
  type SurveySettings,
  type SurveySettingsPatch,
} from "./survey-settings.ts";
export { listsOf, sameLists, surveyLists, type SurveyLists } from "./survey-lists.ts";
export { textOwners, type TranslatedSurvey } from "./translations/text-owners.ts";
export { knownTranslations } from "./translations/known-translations.ts";
export { textsOfSurvey, type SurveyTexts } from "./translations/survey-texts.ts";
export { translatedDefinition, translatedSettings, translatingDefinition, textAt } from "./translations/translate.ts";
export {
  readingTranslation,
  textsIn,
  translationOf,
  type TranslationInput,
  type TranslatedPlace,
  type TranslationChange,
} from "./translations/translation.ts";
export { translationStatus, translationWarnings, type TranslationStatus } from "./translations/translation-status.ts";
export { questionStatsSchema } from "./question-stats-schema.ts";
export { fileIdsIn, hasExtension } from "./types/file-upload.ts";
export { applyTally, tallyChange, type AnswerStats, type Tally } from "./tally.ts";
export {
  addWeights,
  comparisonViolations,
  emptyWeight,
  listsWeight,
  pageWeight,
  questionWeight,
  weightViolations,
  weightLimits,
  type WeighedQuestion,
  type Weight,
} from "./weight.ts";
export { findEntry } from "./variables/find-entry.ts";
export {
  crosstabBody,
  dateUnits,
  knownVariables,
  reportTables,
  seriesBody,
  seriesUnits,
  type CrosstabBody,
  type SeriesBody,
  type TableFilters,
  type VariableInput,
} from "./variables/table-bodies.ts";
export { tableShapeViolations } from "./variables/table-violations.ts";
export { measures, type Category, type Measure, type Variable } from "./variables/variable.ts";
export { variablesOf } from "./variables/variables-of.ts";
