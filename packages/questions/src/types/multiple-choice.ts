import { type Violation, violationAt, noViolations } from "@canvass/inputs";
import { Type, type Static, type TSchema } from "typebox";
import { entryId } from "../answers/entry-schemas.ts";
import {
  lowerLimit,
  severalAnswers,
  upperLimit,
  affectsIf,
  affectsResults,
  type SettingEffect,
} from "../change-class.ts";
import { countsByChoice, standing } from "../choice-list.ts";
import {
  checkEntry,
  choiceCells,
  choiceColumns,
  chosenId,
  chosenInOrder,
  entriesOf,
  offeredChoices,
} from "../chosen-choices.ts";
import { choicesConditions } from "../conditions/targets.ts";
import type { Question } from "../definition.ts";
import { codeField } from "../list-input.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionLists, QuestionType, ValueContext } from "../question-type.ts";
import type { Tally } from "../tally.ts";
import { nullable, settingsObject, settingsReader } from "../type-settings.ts";
import { favourites, fewOf, popularChoices } from "../samples/favourites.ts";
import type { Random } from "../samples/random.ts";
import { remark } from "../samples/words.ts";

const mostChoices = 200;
const count = Type.Integer({ minimum: 1, maximum: mostChoices + 1 });

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
  minSelections: nullable(count),
  maxSelections: nullable(count),
});
type Settings = Static<typeof settings>;
const settingsOf = settingsReader(settings);

const otherEntry = (choiceId: TSchema) =>
  Type.Object({ choiceId, otherText: Type.String() }, { additionalProperties: false });
const entry = Type.Union([Type.String(), otherEntry(Type.String())]);
const valueSchema = Type.Union([entry, Type.Array(entry, { minItems: 1 })], {
  description:
    "the id of a choice, or of Other as `{choiceId, otherText}`; where several may be chosen, a list of them",
});

export const multipleChoice: QuestionType<typeof settings> = {
  number: 4,
  typeName: "multiple_choice",
  summary: "One of several choices, or some of them with multipleAnswers; Other takes a text.",
  answerable: true,
  settings,
  lists: { choices: { max: mostChoices } },
  shorthands: { multipleAnswers: "multipleAnswers" },
  valueSchema,
  answerSchema(question) {
    const { multipleAnswers, other } = settingsOf(question);
    const chosen = entryId(offeredChoices(question));
    const named = other.choiceId === null ? chosen : Type.Union([chosen, otherEntry(Type.Literal(other.choiceId))]);
    return multipleAnswers ? Type.Array(named, { minItems: 1 }) : named;
  },
  distributionShape: "choices",
  conditions: choicesConditions,

  settingEffects: (before, after) => ({
    multipleAnswers: severalAnswers(before.multipleAnswers, after.multipleAnswers),
    other: otherEffect(before.other, after.other),
    shuffle: "safe",
    minSelections: lowerLimit(before.minSelections, after.minSelections),
    maxSelections: upperLimit(before.maxSelections, after.maxSelections),
  }),

  textSettings: ({ other }) => (other.enabled ? ["other.label"] : []),

  checkSettings,

  completeSettings(settings, previous, newId) {
    const { code, ...other } = settings.other;
    const choiceId = previous?.other.choiceId ?? (other.enabled ? newId() : null);
    // Without a code the question stays as it was before there were codes.
    const complete = { ...other, choiceId, ...(code !== null && { code }) } as Settings["other"];
    return { ...settings, other: complete };
  },

  checkValue(question, value, context) {
    if (settingsOf(question).multipleAnswers) return checkSeveral(question, value, context);
    const violations: Violation[] = [];
    checkEntry(question, value, "", context?.allowRetired, violations);
    return violations.length > 0 ? violations : noViolations;
  },

  sample(question, random) {
    const { multipleAnswers, minSelections, maxSelections, other } = settingsOf(question);
    const popular = popularChoices(question);
    const least = multipleAnswers ? (minSelections ?? 1) : 1;
    const takesOther = other.enabled && (least > popular.length || random() < 0.08);
    const most = Math.min(multipleAnswers ? (maxSelections ?? Infinity) : 1, popular.length + Number(takesOther));
    if (least > most) return undefined;
    const count = fewOf(least, most, random);
    const chosen: unknown[] = favourites(popular, count - Number(takesOther), random);
    if (takesOther) chosen.push(sampleOther(other.choiceId, random));
    return multipleAnswers ? chosen : chosen[0];
  },
  isEmpty: isNull,
  tally: (_question, value) => choiceTally(value),
  distribution: (question, stats) => ({ counts: countsByChoice(offeredChoices(question), stats.buckets) }),
  exportColumns: (question) => choiceColumns(question, settingsOf(question).multipleAnswers),
  exportCells: (question, value) => choiceCells(question, value, settingsOf(question).multipleAnswers),
  loopItems: chosenInOrder,
  canLoop: (question) => settingsOf(question).multipleAnswers,
};

function checkSettings(settings: Settings, lists: QuestionLists, previous: Settings | null): readonly Violation[] {
  const { multipleAnswers, minSelections, maxSelections, other } = settings;
  const violations: Violation[] = [];
  if (other.choiceId !== null && other.choiceId !== previous?.other.choiceId) {
    violations.push({ path: "other.choiceId", message: "is given by the service and cannot be chosen" });
  }
  if (other.code !== null && lists.choices?.some(({ code }) => code === other.code)) {
    violations.push({ path: "other.code", message: "is the code of another entry" });
  }
  // An invalid list is empty here and has its own violation.
  const offered = lists.choices?.length ? standing(lists.choices).length + (other.enabled ? 1 : 0) : Infinity;
  for (const [path, limit] of Object.entries({ minSelections, maxSelections })) {
    if (limit === null) continue;
    if (!multipleAnswers) violations.push({ path, message: "needs multipleAnswers" });
    else if (limit > offered)
      violations.push({ path, message: `must not be greater than the number of choices (${offered})` });
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

function checkSeveral(question: Question, value: unknown, context: ValueContext | undefined): readonly Violation[] {
  if (!Array.isArray(value)) return violationAt("", "must be a list of choices");
  if (value.length === 0) return violationAt("", "must name at least one choice; null takes an answer back");
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
  if (minSelections !== null && value.length < minSelections) {
    violations.push({ path: "", message: `must name at least ${minSelections} choices` });
  }
  if (maxSelections !== null && value.length > maxSelections) {
    violations.push({ path: "", message: `must name at most ${maxSelections} choices` });
  }
  return violations.length > 0 ? violations : noViolations;
}

function sampleOther(choiceId: string | null, random: Random): unknown {
  return random() < 0.8 ? { choiceId, otherText: remark(1, 60, random) } : choiceId;
}

function choiceTally(value: unknown): Tally {
  const buckets: Record<string, number> = {};
  for (const item of entriesOf(value)) {
    const id = chosenId(item);
    if (id !== undefined) buckets[id] = 1;
  }
  return { buckets };
}
