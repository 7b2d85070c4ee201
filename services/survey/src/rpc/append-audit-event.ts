import { appendEvents, auditEvent, changedParts, type AuditedChange, type AuditedState } from "@canvass/events";
import { surveyFieldsOf } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import {
  mapLeaves,
  marksOf,
  questionTypeOf,
  type Choice,
  type CleanedPage,
  type Column,
  type Condition,
  type ElementLogic,
  type HiddenField,
  type Quota,
  type Page,
  type Question,
} from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { Placed } from "../domain/place-questions.ts";
import { settingsForAudit } from "../domain/rendered-settings.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";

/** Appends an audit event for a change, in the transaction that makes the change. */
export async function appendAuditEvent(
  sql: Sql,
  call: Pick<Call, "caller" | "clientAddress" | "requestId">,
  change: Omit<AuditedChange, "source">,
): Promise<void> {
  await appendEvents(sql, [auditEvent(call, { source: "survey", ...change })]);
}

export function auditedSurvey(survey: SurveyRecord, before: SurveyRecord = survey) {
  const settings = settingsForAudit(survey.settingsJson, before.settingsJson);
  return { ...surveyFieldsOf(survey), settings };
}

export function auditedUpdate(before: SurveyRecord, after: SurveyRecord): Pick<AuditedChange, "before" | "after"> {
  const [was, is] = changedParts(auditedSurvey(before), auditedSurvey(after, before));
  return { before: was, after: is };
}

const longestText = 100;
/** Text limit of choices, rows and columns, of which there may be a thousand. */
const longestEntry = 40;
const mostEntries = 50;

export function auditedQuestions(questions: readonly Question[]) {
  return questions.map(({ elementId, name, type, text }) => ({
    elementId,
    ...(name !== undefined && { name }),
    type: questionTypeOf({ type }).typeName,
    text: shortened(text ?? ""),
  }));
}

export function auditedRetirement(questions: readonly Question[]) {
  if (questions.length === 0) return {};
  const first = questions.slice(0, mostEntries).map(({ elementId, type, text }) => ({
    elementId,
    type: questionTypeOf({ type }).typeName,
    text: text && shortened(text, longestEntry),
  }));
  return { retiredCount: questions.length, retired: first };
}

export function auditedPages({ newPages, titled }: Pick<Placed, "newPages" | "titled">) {
  const named = ({ pageId, title }: { pageId: string; title: string }) => ({
    pageId,
    title: shortened(title, longestEntry),
  });
  return {
    ...(newPages.length > 0 && { pages: newPages.slice(0, mostEntries).map(named) }),
    ...(titled && { titledPage: named(titled) }),
  };
}

export function auditedQuestion({ name, type, text, helpText, typeSettings, responseValidation, ...lists }: Question) {
  const { choices, rows, columns, logic } = lists;
  return {
    ...(name !== undefined && { name }),
    type: questionTypeOf({ type }).typeName,
    text: text && shortened(text),
    helpText: helpText && shortened(helpText),
    typeSettings,
    responseValidation,
    ...(choices && { choices: choices.map(auditedEntry) }),
    ...(rows && { rows: rows.map(auditedEntry) }),
    ...(columns && { columns: columns.map(auditedEntry) }),
    ...(logic && auditedLogic(logic)),
  };
}

/** Rules compare with values that may be long, so these are shortened. */
export function auditedPage(
  surveyId: string,
  { title, loop, showIf, skipLogic, shuffle = false, block }: Omit<Page, "pageId" | "elements">,
) {
  const rules = skipLogic.map(({ when, goTo }) => ({ when: auditedCondition(when), goTo }));
  return {
    surveyId,
    title,
    loop,
    ...(showIf && { showIf: auditedCondition(showIf) }),
    skipLogic: rules,
    shuffle,
    ...(block && { block }),
  };
}

function auditedCondition(condition: Condition) {
  return mapLeaves(condition, ({ value, ...leaf }) => ({
    ...leaf,
    ...(value !== undefined && { value: shortened(JSON.stringify(value)) }),
  }));
}

function auditedLogic({ showIf, requiredIf, constraints, entries, defaultValue, choicesFrom }: ElementLogic) {
  return {
    ...(showIf && { showIf: auditedCondition(showIf) }),
    ...(requiredIf && { requiredIf: auditedCondition(requiredIf) }),
    ...(constraints && {
      constraints: constraints.map(({ must, message }) => ({
        must: auditedCondition(must),
        message: shortened(message, longestEntry),
      })),
    }),
    ...(entries && {
      entries: Object.entries(entries).map(([id, showIf]) => ({ id, showIf: auditedCondition(showIf) })),
    }),
    ...(defaultValue !== undefined && { defaultValue: shortened(JSON.stringify(defaultValue)) }),
    ...(choicesFrom && { choicesFrom }),
  };
}

export function auditedFields(fields: readonly HiddenField[]) {
  return fields.map(({ default: value, ...field }) => ({
    ...field,
    ...(value !== undefined && { default: typeof value === "string" ? shortened(value, longestEntry) : value }),
  }));
}

export function auditedQuotas(quotas: readonly Quota[]) {
  return quotas.map(({ quotaId, name, limit, onFull }) => ({ quotaId, name, limit, onFull })).slice(0, mostEntries);
}

export function auditedRemoval(cleaned: readonly CleanedPage[]): object[] {
  return cleaned
    .map(({ pageId, rules, conditions }) => ({ pageId, count: rules.length + conditions }))
    .slice(0, mostEntries);
}

/** Lists contain only the entries that differ. */
export function auditedEdit(
  before: Question,
  after: Question,
  cleaned: readonly CleanedPage[],
): Pick<AuditedChange, "before" | "after"> {
  const [was, is] = changedParts(auditedQuestion(before), auditedQuestion(after));
  const removal = cleaned.length > 0 ? { removedRules: auditedRemoval(cleaned) } : {};
  return { before: withoutEntriesOf(was, is), after: { ...withoutEntriesOf(is, was), ...removal } };
}

function withoutEntriesOf(side: AuditedState, other: AuditedState): AuditedState {
  return Object.fromEntries(
    Object.entries(side).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      const known = new Set(Array.isArray(other[name]) ? other[name].map((entry) => JSON.stringify(entry)) : []);
      return [name, value.filter((entry) => !known.has(JSON.stringify(entry))).slice(0, mostEntries)];
    }),
  );
}

function auditedEntry(entry: Choice & Partial<Column>): object {
  const { id, text, code, imageUrl, format, required, retired, options } = entry;
  return {
    id,
    text: shortened(text, longestEntry),
    ...(code && { code }),
    ...marksOf(entry),
    // The end, because addresses of one host start alike.
    ...(imageUrl && { imageUrl: imageUrl.slice(-longestText).toWellFormed() }),
    ...(format && { format }),
    ...(required && { required }),
    retired,
    ...(options && { options: options.map(auditedEntry) }),
  };
}

/** Slices first, as texts can be long: 2 * `most` UTF-16 units hold at least `most` characters. */
function shortened(text: string, most = longestText): string {
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join("");
}
