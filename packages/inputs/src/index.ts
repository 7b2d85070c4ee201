export { mostBatchItems, requireBatchSize } from "./batch-size.ts";
export { checkShape, shapeViolations, unknownFields } from "./check-shape.ts";
export { requireIfMatch } from "./require-if-match.ts";
export { parseBody, readBody, readObject, requireUpdates } from "./read-body.ts";
export {
  violationAt,
  violationsBelow,
  fieldOf,
  groupViolations,
  joinViolations,
  joinPath,
  noViolations,
  refuseViolations,
  validationFailed,
  type Violation,
} from "./violations.ts";
export {
  closed,
  codeText,
  idempotencyKeyPattern,
  idempotencyKeyText,
  languageTag,
  limitedText,
  ownObject,
  reference,
  lookupId,
  lookupPlace,
  timestampText,
  visibleText,
  word,
} from "./fields.ts";
export { cursorQuery, defaultLimit, longestCursor, pagingViolations, timeParam } from "./pages.ts";
export {
  createDistributorBody,
  distributorSettingsBody,
  distributorsQuery,
  distributorTypes,
  embedCodeQuery,
  issuedLinksQuery,
  issueLinksBody,
  mostDistributors,
  mostIssuedLinks,
  qrCodeQuery,
  updateDistributorBody,
  type CreateDistributorBody,
  type DistributorSettingsBody,
  type DistributorType,
  type IssueLinksBody,
} from "./bodies/distributor.ts";
export {
  anonymizeContactBody,
  attributePrefix,
  attributeValue,
  contactStatuses,
  contactTextNames,
  createContactBody,
  deleteContactsBody,
  longestAttributeName,
  longestAttributeText,
  mostContactAttributes,
  settableContactStatuses,
  updateContactBody,
  type AttributeValue,
  type ContactInput,
  type ContactStatus,
  type ContactTextField,
} from "./bodies/contact.ts";
export {
  createImportBody,
  importKeys,
  importModes,
  importQuery,
  importResponsesQuery,
  importSettings,
  mostCsvBytes,
  mostImportErrors,
  mostImportRows,
  type ImportKey,
  type ImportMode,
} from "./bodies/import.ts";
export { createExportBody, exportFormats, exportHeadings, exportLabels } from "./bodies/export.ts";
export { longestFileName, uploadFileBody, uploadLinkFileBody } from "./bodies/file.ts";
export { npsResponseBody, npsResponseQuery } from "./bodies/nps-response.ts";
export { fieldValues, startLinkRespondentBody, startRespondentBody } from "./bodies/respondent.ts";
export {
  createSubscriptionBody,
  defaultEventTypes,
  longestWebhookUrl,
  mostSubscriptions,
  settableSubscriptionStatuses,
  subscribableEventTypes,
  subscriptionModes,
  updateSubscriptionBody,
  type CreateSubscriptionBody,
  type UpdateSubscriptionBody,
} from "./bodies/subscription.ts";
export {
  activeField,
  givenSurveyFields,
  copySurveyBody,
  publishSurveyBody,
  surveyFieldDefaults,
  surveyFields,
  surveyFieldsOf,
  type SurveyFields,
} from "./bodies/survey.ts";
export {
  createTokenBody,
  longestTokenName,
  updateTokenBody,
  type CreateTokenBody,
  type UpdateTokenBody,
} from "./bodies/token.ts";
export { answerRowsQuery, answersQuery } from "./lists/answers.ts";
export { contactActivityQuery, contactsQuery } from "./lists/contacts.ts";
export {
  attemptOutcomes,
  connectionFailures,
  deliveriesQuery,
  deliveryStatuses,
  redeliverRangeBody,
  type DeliveryStatus,
  type RedeliverRangeBody,
} from "./lists/deliveries.ts";
export { answersSchemaQuery } from "./lists/answers-schema.ts";
export { documentQuery } from "./lists/document.ts";
export {
  importQuestionnaireQuery,
  mostQuestionnaireBytes,
  questionnaireFormats,
  type QuestionnaireFormat,
} from "./lists/questionnaire.ts";
export { textsByPlace, translationBody } from "./bodies/translation.ts";
export { importTranslationQuery, translationQuery } from "./lists/translation.ts";
export { elementsQuery } from "./lists/elements.ts";
export {
  fieldFilter,
  fieldPrefix,
  mostFieldFilters,
  respondentQuery,
  respondentsQuery,
  respondentStatuses,
} from "./lists/respondents.ts";
export { mostReportTables, reportQuery, resultsQuery } from "./lists/results.ts";
export { surveyOrders, surveysQuery } from "./lists/surveys.ts";
export { versionsQuery } from "./lists/versions.ts";
