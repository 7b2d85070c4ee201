import type { PublicElement } from "@canvass/questions";
import type { QuestionImagePickerModel } from "survey-core";
import { heading, items, sameValue, type Data, type MappedType } from "./mapped-type.ts";

type Settings = {
  multipleAnswers: boolean;
  other: { enabled: boolean; label: string; choiceId: string | null };
  shuffle: boolean;
  minSelections: number | null;
  maxSelections: number | null;
};

const settingsOf = (question: PublicElement) => question.settings as Settings;
const order = (question: PublicElement) => (question.settings["shuffle"] ? "random" : "none");
const commentName = (name: string) => `${name}-Comment`;
/** SurveyJS's value for Other. */
const other = "other";

function limits(question: PublicElement) {
  const { multipleAnswers, minSelections, maxSelections } = settingsOf(question);
  if (!multipleAnswers) return {};
  return { minSelectedChoices: minSelections ?? 0, maxSelectedChoices: maxSelections ?? 0 };
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
        if (choiceId !== other.choiceId) return choiceId;
        if (otherText !== undefined) data[commentName(name)] = otherText;
        return otherValue(question);
      });
      return { ...data, [name]: multipleAnswers ? values : values[0] };
    },
    toValue(data, name, question) {
      const { multipleAnswers, other } = settingsOf(question);
      const values = listed(data[name]).map((value) => {
        if (value !== otherValue(question)) return value;
        const text = data[commentName(name)];
        return typeof text === "string" && text.trim() ? { choiceId: other.choiceId, otherText: text } : other.choiceId;
      });
      if (values.length === 0) return undefined;
      return multipleAnswers ? values : values[0];
    },
  };
}

type OtherEntry = { choiceId: unknown; otherText?: string };

export const multipleChoice: MappedType = {
  isOnePress: true,
  hasRadios: true,
  draw: (question, name) => ({
    ...heading(question, name),
    type: settingsOf(question).multipleAnswers ? "checkbox" : "radiogroup",
    choices: items(question.choices),
    choicesOrder: order(question),
    showOtherItem: settingsOf(question).other.enabled,
    otherText: settingsOf(question).other.label,
    ...limits(question),
  }),
  ...chosen(() => other),
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
      choicesOrder: order(question),
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
    const isOpen = other.enabled && listed(data[drawn.name]).includes(other.choiceId);
    (drawn as QuestionImagePickerModel).showCommentArea = isOpen;
  },
};

export const dropdown: MappedType = {
  isOnePress: true,
  draw: (question, name) => ({
    ...heading(question, name),
    type: "dropdown",
    choices: items(question.choices),
    choicesOrder: order(question),
    searchEnabled: (question.choices ?? []).length > 10,
  }),
  ...sameValue,
};

export const ranking: MappedType = {
  draw: (question, name) => ({
    ...heading(question, name),
    type: "ranking",
    choices: items(question.choices),
    choicesOrder: order(question),
    selectToRankEnabled: question.settings["rankAll"] === false,
  }),
  toData: sameValue.toData,
  toValue: (data, name) => (listed(data[name]).length > 0 ? data[name] : undefined),
};
