import type { PublicElement } from "@canvass/questions";
import type { Question, QuestionCheckboxModel, QuestionImagePickerModel } from "survey-core";
import { heading, items, sameValue, type MappedType } from "./mapped-type.ts";

type Settings = {
  multipleAnswers: boolean;
  other: { enabled: boolean; label: string; choiceId: string | null };
  minSelections: number | null;
  maxSelections: number | null;
};

const settingsOf = (question: PublicElement) => question.settings as Settings;
const commentName = (name: string) => `${name}-Comment`;

/** A choice with a text, as SurveyJS has it. Where choices take texts, all entries of a list are such objects. */
type WithComment = { value: unknown; comment?: string };
type ChosenEntry = { choiceId: unknown; otherText?: string };

const partsOf = (entry: unknown): WithComment =>
  typeof entry === "object" && entry !== null ? (entry as WithComment) : { value: entry };
const entryOf = (entry: unknown): ChosenEntry =>
  typeof entry === "object" && entry !== null ? (entry as ChosenEntry) : { choiceId: entry };
const withText = (choiceId: unknown, text: unknown): unknown =>
  typeof text === "string" && text.trim() ? { choiceId, otherText: text } : choiceId;

const listed = (value: unknown): unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};

/** The minimum depends on what is chosen (`followLimits`). */
function limits(question: PublicElement) {
  const { multipleAnswers, maxSelections } = settingsOf(question);
  return multipleAnswers ? { maxSelectedChoices: maxSelections ?? 0 } : {};
}

/** No more than there are to choose together. */
function leastOf(question: PublicElement): number {
  const { minSelections, other } = settingsOf(question);
  const together = (question.choices ?? []).filter(({ exclusive }) => !exclusive).length;
  return Math.min(minSelections ?? 0, together + (other.enabled ? 1 : 0));
}

/** No choice means no answer, which the minimum does not forbid. An exclusive choice satisfies the minimum. */
function followLimits(drawn: Question, chosen: readonly unknown[], question: PublicElement): void {
  if (!settingsOf(question).multipleAnswers) return;
  const isAlone = question.choices?.some(({ id, exclusive }) => exclusive && chosen.includes(id));
  const least = chosen.length === 0 || isAlone ? 0 : leastOf(question);
  (drawn as QuestionCheckboxModel).minSelectedChoices = least;
}

/** Where nothing is chosen, there is no answer; or it is an empty list, if the question takes that. */
function answerOf(values: readonly unknown[], question: PublicElement): unknown {
  const { multipleAnswers, minSelections } = settingsOf(question);
  if (!multipleAnswers) return values[0];
  const canBeEmpty = minSelections === 0 && !question.required;
  return values.length > 0 || canBeEmpty ? values : undefined;
}

const textArea = { showCommentArea: true, isCommentRequired: true };

export const multipleChoice: MappedType = {
  isOnePress: true,
  hasRadios: true,
  draw(question, name) {
    const { multipleAnswers, other } = settingsOf(question);
    const choices = (question.choices ?? []).map(({ id, text, exclusive, freeText }) => ({
      value: id,
      text,
      ...(exclusive && multipleAnswers && { isExclusive: true }),
      ...(freeText && textArea),
    }));
    return {
      ...heading(question, name),
      type: multipleAnswers ? "checkbox" : "radiogroup",
      choices: [...choices, ...(other.enabled ? [{ value: other.choiceId, text: other.label, ...textArea }] : [])],
      ...limits(question),
    };
  },
  toData(value, name, question) {
    const { multipleAnswers, other } = settingsOf(question);
    const values = listed(value)
      .map(entryOf)
      .map(({ choiceId, otherText }) => (otherText === undefined ? choiceId : { value: choiceId, comment: otherText }));
    if (!multipleAnswers) return { [name]: values[0] };
    const takesTexts = other.enabled || question.choices?.some(({ freeText }) => freeText);
    return { [name]: takesTexts ? values.map(partsOf) : values };
  },
  toValue(data, name, question) {
    const entries = listed(data[name]).map(partsOf);
    return answerOf(
      entries.map(({ value, comment }) => withText(value, comment)),
      question,
    );
  },
  follow(drawn, data, question) {
    const chosen = listed(data[drawn.name]).map((entry) => partsOf(entry).value);
    followLimits(drawn, chosen, question);
  },
};

const noPicture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#e6e8eb"/></svg>')}`;

/** SurveyJS's picture choice has no Other, so Other is an ordinary choice that opens a text field. */
export const imageChoice: MappedType = {
  isOnePress: true,
  hasRadios: true,
  draw(question, name) {
    const { multipleAnswers, other } = settingsOf(question);
    const open = other.enabled ? [{ id: other.choiceId!, text: other.label }] : [];
    return {
      ...heading(question, name),
      type: "imagepicker",
      choices: [...(question.choices ?? []), ...open].map((choice) => ({
        value: choice.id,
        text: choice.text,
        imageLink: ("imageUrl" in choice && choice.imageUrl) || noPicture,
      })),
      multiSelect: multipleAnswers,
      showLabel: true,
      imageFit: "cover",
      commentText: other.label,
      ...limits(question),
    };
  },
  toData(value, name, question) {
    const { multipleAnswers, other } = settingsOf(question);
    const entries = listed(value).map(entryOf);
    const ids = entries.map(({ choiceId }) => choiceId);
    const text = entries.find(({ choiceId }) => choiceId === other.choiceId)?.otherText;
    return { ...(text !== undefined && { [commentName(name)]: text }), [name]: multipleAnswers ? ids : ids[0] };
  },
  toValue(data, name, question) {
    const { other } = settingsOf(question);
    const values = listed(data[name]).map((id) => (id === other.choiceId ? withText(id, data[commentName(name)]) : id));
    return answerOf(values, question);
  },
  follow(drawn, data, question) {
    const { other } = settingsOf(question);
    const chosen = listed(data[drawn.name]);
    (drawn as QuestionImagePickerModel).showCommentArea = other.enabled && chosen.includes(other.choiceId);
    followLimits(drawn, chosen, question);
    const kept = withoutExcluded(chosen, question);
    if (kept.length < chosen.length) drawn.value = kept;
  },
};

/** SurveyJS knows no picture that goes alone. The choice that came last counts. */
function withoutExcluded(chosen: readonly unknown[], { choices = [] }: PublicElement): readonly unknown[] {
  const isExclusive = (id: unknown) => choices.some((choice) => choice.id === id && choice.exclusive);
  return isExclusive(chosen.at(-1)) ? chosen.slice(-1) : chosen.filter((id) => !isExclusive(id));
}

export const dropdown: MappedType = {
  isOnePress: true,
  draw: (question, name) => ({
    ...heading(question, name),
    type: "dropdown",
    choices: items(question.choices),
    searchEnabled: (question.choices ?? []).length > 10,
  }),
  ...sameValue,
};

export const ranking: MappedType = {
  draw: (question, name) => ({
    ...heading(question, name),
    type: "ranking",
    choices: items(question.choices),
    selectToRankEnabled: question.settings["rankAll"] === false,
  }),
  toData: sameValue.toData,
  toValue: (data, name) => (listed(data[name]).length > 0 ? data[name] : undefined),
};
