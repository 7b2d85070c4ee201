import { closed, type Violation, fieldOf, limitedText, word } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";
import { Type, type Static } from "typebox";
import { applyElementSettings } from "../element-settings.ts";
import type { Question } from "../definition.ts";
import type { ListContext } from "../list-input.ts";
import type { QuestionType } from "../question-type.ts";
import { violationsInRequest, type PlaceInRequest } from "../settings-violations.ts";
import { nps } from "../types/nps.ts";
import { rating } from "../types/rating.ts";
import type { EditResult, ElementEdit } from "./element-edit.ts";

const labelText = limitedText(200);
const required = Type.Boolean();

const forType = ({ typeName, number }: Pick<QuestionType, "typeName" | "number">) => ({
  takes: `a question of type ${typeName}`,
  fits: (type: QuestionType) => type.number === number,
});

export const npsLabelBody = closed({ side: word(["left", "right"]), text: labelText });

export const npsLabelEdit: ElementEdit = {
  ...forType(nps),
  input: npsLabelBody,
  apply: (question, { side, text }: Static<typeof npsLabelBody>, context) =>
    withSettings(question, { [`${side}Label`]: text }, context, { sent: "text", placeOf: () => "text" }),
};

const { subject } = nps.settings.properties;
export const npsSettingsBody = closed(
  { subject: Type.Optional(subject), required: Type.Optional(required) },
  { minProperties: 1 },
);

export const npsSettingsEdit: ElementEdit = {
  ...forType(nps),
  input: npsSettingsBody,
  apply: (question, body: Static<typeof npsSettingsBody>, context) => withBody(question, body, context),
};

export const ratingLabelBody = closed({ position: Type.Integer({ minimum: 1, maximum: 10 }), text: labelText });

/** Sets the label at a position of a rating; an empty text removes it. */
export const ratingLabelEdit: ElementEdit = {
  ...forType(rating),
  input: ratingLabelBody,
  apply(question, { position, text }: Static<typeof ratingLabelBody>, context) {
    const steps = question.typeSettings["steps"] as number;
    if (position > steps) return { violations: [positionViolation(steps)] };
    const { [position]: _, ...labels } = labelsOf(question);
    const changed = { labels: text === "" ? labels : { ...labels, [position]: text } };
    return withSettings(question, changed, context, { sent: "text", placeOf: () => "text" });
  },
};

const { steps, style } = rating.settings.properties;
export const ratingSettingsBody = closed(
  {
    steps: Type.Optional(steps),
    style: Type.Optional(style),
    required: Type.Optional(required),
  },
  { minProperties: 1 },
);

export const ratingSettingsEdit: ElementEdit = {
  ...forType(rating),
  input: ratingSettingsBody,
  apply: (question, body: Static<typeof ratingSettingsBody>, context) => withBody(question, body, context),
};

const positionViolation = (steps: number): Violation => ({
  path: "position",
  message: `must be a position from 1 to ${steps}`,
});

function labelsOf({ typeSettings: { labels } }: Question): Record<string, unknown> {
  return isJsonObject(labels) ? labels : {};
}

function withBody(
  question: Question,
  { required, ...settings }: { required?: boolean; [setting: string]: unknown },
  context: ListContext,
): EditResult {
  const sent = Object.keys(settings)[0] ?? "required";
  const placeOf: PlaceInRequest = (path) => {
    const place = path.replace(/^settings\.(typeSettings|responseValidation)\./, "");
    return place === "required" || Object.hasOwn(settings, fieldOf(place)) ? place : undefined;
  };
  return withSettings(question, settings, context, { sent, placeOf, required });
}

function withSettings(
  question: Question,
  changes: object,
  context: ListContext,
  { sent, placeOf, required }: { sent: string; placeOf: PlaceInRequest; required?: boolean | undefined },
): EditResult {
  const typeSettings = { ...question.typeSettings, ...changes };
  const responseValidation = required === undefined ? question.responseValidation : { required };
  const result = applyElementSettings(question, { settings: { typeSettings, responseValidation } }, context);
  return "violations" in result ? { violations: violationsInRequest(result.violations, sent, placeOf) } : result;
}
