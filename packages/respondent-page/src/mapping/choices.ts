import type { PublicElement } from "@canvass/questions";
import type { Question, QuestionCheckboxModel, QuestionImagePickerModel } from "survey-core";
import { heading, items, sameValue, type Data, type MappedType } from "./mapped-type.ts";

type Settings = {
  multipleAnswers: boolean;
  other: { enabled: boolean; label: string; choiceId: string | null };
  minSelections: number | null;
  maxSelections: number | null;
};

const settingsOf = (question: PublicElement) => question.settings as Settings;
const commentName = (name: string) => `${name}-Comment`;
/** SurveyJS's value for Other. */
const other = "other";

function limits(question: PublicElement) {
  const { multipleAnswers, minSelections, maxSelections } = settingsOf(question);
  if (!multipleAnswers) return {};
  return { minSelectedChoices: minSelections ?? 0, maxSelectedChoices: maxSelections ?? 0 };
}

/** A choice with a text, as SurveyJS has it. */
type WithComment = { value: unknown; comment?: string };

const partsOf = (entry: unknown): WithComment =>
  typeof entry === "object" && entry !== null ? (entry as WithComment) : { value: entry };

/** Nothing chosen is an answer, too. */
function canBeEmpty(question: PublicElement): boolean {
  const { multipleAnswers, minSelections } = settingsOf(question);
  return multipleAnswers && minSelections === 0 && !question.required;
}

const listed = (value: unknown): unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};

function chosen(otherValue: (question: PublicElement) => unknown): Pick<MappedType, "toData" | "toValue"> {
  return {
    toData(value, name, question) {
      const { multipleAnswers, other } = settingsOf(question);
      const data: Data = {};
      const values = listed(value).map((entry) => {
        const { choiceId, otherText } = (typeof entry === "object" ? entry : { choiceId: entry }) as OtherEntry;
        if (choiceId !== other.choiceId) {
          return otherText === undefined ? choiceId : { value: choiceId, comment: otherText };
        }
        if (otherText !== undefined) data[commentName(name)] = otherText;
        return otherValue(question);
      });
      // Where choices take texts, SurveyJS has all entries of a list as objects.
      const hasTexts = question.choices?.some(({ freeText }) => freeText) ?? false;
      return { ...data, [name]: multipleAnswers ? (hasTexts ? values.map(partsOf) : values) : values[0] };
    },
    toValue(data, name, question) {
      const { multipleAnswers, other } = settingsOf(question);
      const values = listed(data[name]).map((entry) => {
        const { value, comment } = partsOf(entry);
        const isOther = value === otherValue(question);
        const choiceId = isOther ? other.choiceId : value;
        const text = isOther ? data[commentName(name)] : comment;
        return typeof text === "string" && text.trim() ? { choiceId, otherText: text } : choiceId;
      });
      if (values.length === 0) return canBeEmpty(question) ? [] : undefined;
      return multipleAnswers ? values : values[0];
    },
  };
}

/** A choice that goes alone makes up for the least number. */
function followLimits(drawn: Question, chosen: readonly unknown[], question: PublicElement): void {
  const { multipleAnswers, minSelections } = settingsOf(question);
  const alone = (question.choices ?? []).filter(({ exclusive }) => exclusive).map(({ id }) => id as unknown);
  if (!multipleAnswers || alone.length === 0) return;
  (drawn as QuestionCheckboxModel).minSelectedChoices = chosen.some((id) => alone.includes(id))
    ? 0
    : (minSelections ?? 0);
}

type OtherEntry = { choiceId: unknown; otherText?: string };

export const multipleChoice: MappedType = {
  isOnePress: true,
  hasRadios: true,
  draw: (question, name) => ({
    ...heading(question, name),
    type: settingsOf(question).multipleAnswers ? "checkbox" : "radiogroup",
    choices: (question.choices ?? []).map(({ id, text, exclusive, freeText }) => ({
      value: id,
      text,
      ...(exclusive && settingsOf(question).multipleAnswers && { isExclusive: true }),
      ...(freeText && { showCommentArea: true, isCommentRequired: true }),
    })),
    showOtherItem: settingsOf(question).other.enabled,
    otherText: settingsOf(question).other.label,
    ...limits(question),
  }),
  ...chosen(() => other),
  follow: (drawn, data, question) =>
    followLimits(
      drawn,
      listed(data[drawn.name]).map((entry) => partsOf(entry).value),
      question,
    ),
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
  ...chosen((question) => settingsOf(question).other.choiceId),
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
