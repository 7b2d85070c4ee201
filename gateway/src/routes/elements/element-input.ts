import {
  choiceBody,
  choiceOrderBody,
  choicesBody,
  elementSettingsSchema,
  npsLabelBody,
  npsSettingsBody,
  otherBody,
  ratingLabelBody,
  ratingSettingsBody,
} from "@canvass/questions";
import { Type } from "typebox";
import { idParam, withExamples } from "../schemas.ts";

export const elementParams = Type.Object({ elementId: idParam("id of an element") });

export const choiceParams = Type.Object({
  elementId: idParam("id of an element"),
  choiceId: idParam("id of one of its choices"),
});

const choiceId = "01h8x3k9q2y0r3fm";

/** The survey service validates the body itself, by the same schema and the rules of the question's type. */
export const documentedSettings = withExamples(elementSettingsSchema, {
  required: {
    summary: "Changes the text and makes an answer required",
    value: { settings: { responseValidation: { required: true } }, questionText: "How did you like your lunch?" },
  },
  name: { summary: "A name for exports", value: { settings: {}, name: "lunch" } },
  logic: {
    summary: "Shown and required only after certain answers",
    value: {
      settings: {},
      showIf: { elementId: "01h8x3k9q2w7d1ej", operator: "answered" },
      requiredIf: { not: { elementId: "01h8x3k9q2w7d1ej", operator: "not_answered" } },
    },
  },
  defaults: { summary: "Resets all settings of its type to their defaults", value: { settings: { typeSettings: {} } } },
});

export const documentedChoice = withExamples(choiceBody, {
  reword: {
    summary: "Changes the text of a choice",
    value: { choiceId, questionId: "01h8x3k9q2x5g9hs", newTitle: "Yes, gladly" },
  },
});

export const documentedChoices = withExamples(choicesBody, {
  newList: {
    summary: "Keeps one choice and removes the others",
    value: { choices: [{ choiceId, title: "Yes" }] },
  },
});

export const documentedChoiceOrder = withExamples(choiceOrderBody, {
  order: { summary: "All choices in the new order", value: { choiceIds: [choiceId, "01h8x3k9q2y1v5gn"] } },
});

export const documentedOther = withExamples(otherBody, {
  on: { summary: "Adds the choice Other with a text field", value: { enabled: true, label: "Something else" } },
});

export const documentedNpsLabel = withExamples(npsLabelBody, {
  left: { summary: "Changes the label at 0", value: { side: "left", text: "Never" } },
});

export const documentedNpsSettings = withExamples(npsSettingsBody, {
  subject: { summary: "Asks about something else", value: { subject: "our canteen", required: true } },
});

export const documentedRatingLabel = withExamples(ratingLabelBody, {
  best: { summary: "Changes the label of the highest step", value: { position: 5, text: "Excellent" } },
});

export const documentedRatingSettings = withExamples(ratingSettingsBody, {
  hearts: { summary: "Five hearts; an answer is required", value: { steps: 5, style: "heart", required: true } },
});
