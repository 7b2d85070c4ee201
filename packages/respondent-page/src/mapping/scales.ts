import type { PublicElement } from "@canvass/questions";
import type { QuestionSliderModel } from "survey-core";
import { heading, sameValue, type MappedType } from "./mapped-type.ts";

type RatingSettings = { steps: number; style: "star" | "number" | "smiley" | "heart"; labels: Record<string, string> };

const rateTypes = { star: "stars", heart: "stars", smiley: "smileys", number: "labels" } as const;

export const rating: MappedType = {
  isOnePress: true,
  hasRadios: true,
  draw(question, name) {
    const { steps, style, labels } = question.settings as RatingSettings;
    const values = Array.from({ length: steps }, (_, index) => index + 1);
    const between = values.some((value) => value > 1 && value < steps && labels[value]);
    return {
      ...heading(question, name),
      type: "rating",
      rateType: rateTypes[style],
      rateMin: 1,
      rateMax: steps,
      displayMode: "buttons",
      minRateDescription: labels["1"] ?? "",
      maxRateDescription: labels[steps] ?? "",
      // Pictures use the labels as names for screen readers. Numbers keep the number in front.
      ...(between && { rateValues: values.map((value) => ({ value, text: valueText(value, labels, style) })) }),
    };
  },
  ...sameValue,
};

function valueText(value: number, labels: Record<string, string>, style: RatingSettings["style"]): string {
  if (style === "number") return labels[value] ? `${value} ${labels[value]}` : String(value);
  return labels[value] || String(value);
}

/** True if a rating shows hearts, which SurveyJS does not have. */
export const showsHearts = ({ typeName, settings }: PublicElement): boolean =>
  typeName === "rating" && settings["style"] === "heart";

export const nps: MappedType = {
  isOnePress: true,
  hasRadios: true,
  draw: (question, name) => ({
    ...heading(question, name),
    type: "rating",
    rateType: "labels",
    rateMin: 0,
    rateMax: 10,
    // Otherwise SurveyJS shows a dropdown on phones.
    displayMode: "buttons",
    minRateDescription: question.settings["leftLabel"],
    maxRateDescription: question.settings["rightLabel"],
  }),
  ...sameValue,
};

export const slider: MappedType = {
  draw: (question, name) => ({
    ...heading(question, name),
    type: "slider",
    min: question.settings["min"],
    max: question.settings["max"],
    step: question.settings["step"],
    allowClear: false,
    tooltipVisibility: "always",
  }),
  ...sameValue,
  follow(drawn, data, { required }) {
    (drawn as QuestionSliderModel).allowClear = !required && data[drawn.name] !== undefined;
  },
};

const yesNoValues = [
  ["yes", true],
  ["no", false],
] as const;

export const yesNo: MappedType = {
  isOnePress: true,
  hasRadios: true,
  draw(question, name) {
    const labels = question.settings["labels"] as Record<string, string>;
    const choices = yesNoValues.map(([value]) => ({ value, text: labels[value] }));
    return { ...heading(question, name), type: "radiogroup", choices };
  },
  toData: (value, name) => ({ [name]: yesNoValues.find(([, each]) => each === value)?.[0] }),
  toValue: (data, name) => yesNoValues.find(([each]) => each === data[name])?.[1],
};

const agreed = "agreed";

/** A checkbox. Unchecked means "no" only if the question is required and accepts a "no". */
export const consent: MappedType = {
  draw: (question, name) => ({
    ...heading(question, name),
    type: "checkbox",
    isRequired: question.required && question.settings["mustAccept"] === true,
    choices: [{ value: agreed, text: question.settings["text"] }],
  }),
  toData: (value, name) => ({ [name]: value === true ? [agreed] : undefined }),
  toValue(data, name, { required, settings }) {
    if (Array.isArray(data[name]) && data[name].includes(agreed)) return true;
    return required && !settings["mustAccept"] ? false : undefined;
  },
};
