import { type Violation, violationAt, noViolations } from "@canvass/inputs";
import { counted } from "@canvass/values";
import { Type, type Static, type TSchema } from "typebox";
import { entryIdSchema } from "../answers/entry-schemas.ts";
import {
  lowerLimit,
  severalAnswers,
  upperLimit,
  affectsIf,
  affectsResults,
  type SettingEffect,
} from "../change-class.ts";
import { choicesById, countsByChoice, withoutRetired } from "../choice-list.ts";
import {
  checkEntry,
  choiceCells,
  choiceColumns,
  choicesWithText,
  chosenId,
  chosenInOrder,
  entriesOf,
  choicesAndOther,
} from "../chosen-choices.ts";
import { choicesConditions } from "../conditions/targets.ts";
import type { Question } from "../definition.ts";
import { codeField } from "../list-input.ts";
import { pipedChoices } from "../piping/piped-answers.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionLists, QuestionType, ValueContext } from "../question-type.ts";
import type { Tally } from "../tally.ts";
import { nullable, settingsObject, settingsReader } from "../type-settings.ts";
import { favourites, fewOf, popularChoices } from "../samples/favourites.ts";
import { pick, type Random } from "../samples/random.ts";
import { sampleRemark } from "../samples/words.ts";

const mostChoices = 200;
const count = (minimum: number) => nullable(Type.Integer({ minimum, maximum: mostChoices + 1 }));

const settings = settingsObject({
  multipleAnswers: Type.Boolean({ default: false }),
  other: settingsObject({
    enabled: Type.Boolean({ default: false }),
    label: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: "\\S",
      default: "Other",
      description: "text of 1 to 200 characters",
    }),
    choiceId: nullable(Type.String()),
    code: Type.Union(codeField.code.anyOf, { default: null }),
  }),
  shuffle: Type.Boolean({ default: false }),
  // With 0 nothing chosen is an answer, too.
  minSelections: count(0),
  maxSelections: count(1),
});
type Settings = Static<typeof settings>;
const settingsOf = settingsReader(settings);

const entryWithText = (choiceId: TSchema) =>
  Type.Object({ choiceId, otherText: Type.String() }, { additionalProperties: false });
const entry = Type.Union([Type.String(), entryWithText(Type.String())]);
const valueSchema = Type.Union([entry, Type.Array(entry)], {
  description:
    "the id of a choice, with a text for Other and choices with freeText as `{choiceId, otherText}`; where several may be chosen, a list of them",
});

export const multipleChoice: QuestionType<typeof settings> = {
  number: 4,
  typeName: "multiple_choice",
  summary: "One choice, or several with multipleAnswers; Other and choices with freeText take a text.",
  answerable: true,
  settings,
  lists: { choices: { max: mostChoices, marks: ["exclusive", "freeText", "pinned"], showIf: true } },
  shorthands: { multipleAnswers: "multipleAnswers" },
  valueSchema,
  answerSchema(question) {
    const chosen = entryIdSchema(choicesAndOther(question));
    const withText = choicesWithText(question);
    const named = withText.length === 0 ? chosen : Type.Union([chosen, entryWithText(entryIdSchema(withText))]);
    if (!settingsOf(question).multipleAnswers) return named;
    return Type.Array(named, { minItems: canBeEmpty(question) ? 0 : 1 });
  },
  distributionShape: "choices",
  conditions: choicesConditions,
  canBeCarried: true,

  settingEffects: (before, after) => ({
    multipleAnswers: severalAnswers(before.multipleAnswers, after.multipleAnswers),
    other: otherEffect(before.other, after.other),
    shuffle: "safe",
    minSelections: lowerLimitEffect(before.minSelections, after.minSelections),
    maxSelections: upperLimit(before.maxSelections, after.maxSelections),
  }),

  textSettings: ({ other }) => (other.enabled ? ["other.label"] : []),

  checkSettings,

  completeSettings(settings, previous, newId) {
    const { code, ...other } = settings.other;
    const choiceId = previous?.other.choiceId ?? (other.enabled ? newId() : null);
    // Without a code, the question is equal to one of a version without codes.
    const complete = { ...other, choiceId, ...(code !== null && { code }) } as Settings["other"];
    return { ...settings, other: complete };
  },

  mergeSettings(older, newer) {
    return { ...newer, multipleAnswers: older.multipleAnswers || newer.multipleAnswers };
  },

  checkValue(question, value, context) {
    if (settingsOf(question).multipleAnswers) return checkSeveral(question, value, context);
    const violations: Violation[] = [];
    checkEntry(question, value, "", context?.allowRetired, violations);
    return violations.length > 0 ? violations : noViolations;
  },

  sample: sampleChoices,
  isEmpty: isNull,
  pipedText: pipedChoices,
  tally: (_question, value) => choiceTally(value),
  distribution: (question, stats) => ({ counts: countsByChoice(choicesAndOther(question), stats.buckets) }),
  exportColumns: (question) => choiceColumns(question, settingsOf(question).multipleAnswers),
  exportCells: (question, value) => choiceCells(question, value, settingsOf(question).multipleAnswers),
  loopItems: chosenInOrder,
  canLoop: (question) => settingsOf(question).multipleAnswers,
};

function checkSettings(settings: Settings, lists: QuestionLists, previous: Settings | null): readonly Violation[] {
  const { multipleAnswers, minSelections, maxSelections, other } = settings;
  const violations: Violation[] = [];
  if (other.choiceId !== null && other.choiceId !== previous?.other.choiceId) {
    violations.push({ path: "other.choiceId", message: "is assigned by the service and cannot be chosen" });
  }
  if (other.code !== null && lists.choices?.some(({ code }) => code === other.code)) {
    violations.push({ path: "other.code", message: "is the code of another entry" });
  }
  const together = withoutRetired(lists.choices).filter(({ exclusive }) => !exclusive);
  // An invalid list is empty here and has its own violation.
  const offered = lists.choices?.length ? Math.max(1, together.length + (other.enabled ? 1 : 0)) : Infinity;
  const ofThose = together.length < withoutRetired(lists.choices).length ? ", without exclusive ones" : "";
  for (const [path, limit] of Object.entries({ minSelections, maxSelections })) {
    if (limit === null) continue;
    if (!multipleAnswers) violations.push({ path, message: "needs multipleAnswers" });
    else if (limit > offered)
      violations.push({ path, message: `must not be greater than the number of choices (${offered}${ofThose})` });
  }
  if (minSelections !== null && maxSelections !== null && minSelections > maxSelections) {
    violations.push({ path: "minSelections", message: "must not be greater than maxSelections" });
  }
  return violations;
}

/** Enabling Other adds a choice. A code may change how all choices are exported; other changes concern only itself. */
function otherEffect(before: Settings["other"], after: Settings["other"]): SettingEffect {
  if (!before.enabled) return affectsIf(after.enabled);
  if (before.code !== after.code) return affectsResults;
  return { class: affectsResults, entryId: before.choiceId };
}

/** Where nothing chosen becomes an answer, or none any more, the number of answers means something else. */
function lowerLimitEffect(before: number | null, after: number | null): SettingEffect {
  return (before === 0) === (after === 0) ? lowerLimit(before, after) : affectsResults;
}

function canBeEmpty(question: Question): boolean {
  return settingsOf(question).minSelections === 0 && !question.responseValidation.required;
}

function checkSeveral(question: Question, value: unknown, context: ValueContext | undefined): readonly Violation[] {
  if (!Array.isArray(value)) return violationAt("", "must be a list of choices");
  if (value.length === 0) {
    return canBeEmpty(question)
      ? noViolations
      : violationAt("", "must name at least one choice; null takes an answer back");
  }
  if (value.length > mostChoices * 2) return violationAt("", "names more choices than there are");
  const { minSelections, maxSelections } = settingsOf(question);
  const violations: Violation[] = [];
  const seen = new Set<string>();
  value.forEach((item, index) => {
    checkEntry(question, item, String(index), context?.allowRetired, violations);
    const id = chosenId(item);
    if (id === undefined) return;
    if (seen.has(id)) violations.push({ path: String(index), message: "is chosen twice" });
    seen.add(id);
  });
  const { hidden } = context ?? {};
  const isShown = (item: unknown) => !hidden?.has(chosenId(item) ?? "");
  const exclusive = value.findIndex((item) => isShown(item) && isExclusive(question, item));
  const count = value.filter(isShown).length;
  const least = hidden && minSelections !== null ? leastOf(question, minSelections, hidden) : minSelections;
  if (exclusive >= 0 && count > 1) {
    violations.push({ path: String(exclusive), message: "cannot be chosen together with others" });
  }
  if (exclusive < 0 && least !== null && count < least) {
    violations.push({ path: "", message: `must name at least ${counted(least, "choice")}` });
  }
  if (maxSelections !== null && count > maxSelections) {
    violations.push({ path: "", message: `must name at most ${counted(maxSelections, "choice")}` });
  }
  return violations.length > 0 ? violations : noViolations;
}

/** No more than there are to choose together. */
function leastOf(question: Question, minSelections: number, hidden: ReadonlySet<string>): number {
  const shown = withoutRetired(choicesAndOther(question)).filter(({ id, exclusive }) => !exclusive && !hidden.has(id));
  return Math.min(minSelections, shown.length);
}

function isExclusive(question: Question, item: unknown): boolean {
  return choicesById(question).get(chosenId(item) ?? "")?.exclusive === true;
}

function sampleChoices(question: Question, random: Random): unknown {
  const { multipleAnswers, minSelections, maxSelections, other } = settingsOf(question);
  const popular = popularChoices(question);
  const alone = multipleAnswers ? popular.filter((id) => isExclusive(question, id)) : [];
  const together = alone.length > 0 ? popular.filter((id) => !alone.includes(id)) : popular;
  const wanted = multipleAnswers ? Math.max(minSelections ?? 1, canBeEmpty(question) ? 0 : 1) : 1;
  // No more than there are to choose together, since some may not be shown.
  const least = Math.min(wanted, Math.max(1, together.length + Number(other.enabled)));
  const takesOther = other.enabled && (least > together.length || random() < 0.08);
  const most = Math.min(multipleAnswers ? (maxSelections ?? Infinity) : 1, together.length + Number(takesOther));
  if (alone.length > 0 && (least > most || random() < 0.1))
    return [sampleEntry(question, pick(alone, random)!, random)];
  if (least > most) return undefined;
  const count = Math.max(fewOf(least, most, random), Number(takesOther));
  const ids = favourites(together, count - Number(takesOther), random);
  if (takesOther) ids.push(other.choiceId!);
  const chosen = ids.map((id) => sampleEntry(question, id, random));
  return multipleAnswers ? chosen : chosen[0];
}

function sampleEntry(question: Question, choiceId: string, random: Random): unknown {
  const takesText = choicesWithText(question).some(({ id }) => id === choiceId);
  return takesText && random() < 0.8 ? { choiceId, otherText: sampleRemark(1, 60, random) } : choiceId;
}

function choiceTally(value: unknown): Tally {
  const buckets: Record<string, number> = {};
  for (const item of entriesOf(value)) {
    const id = chosenId(item);
    if (id !== undefined) buckets[id] = 1;
  }
  return { buckets };
}
