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
    summary: "Another wording, and it must be answered",
    value: { settings: { responseValidation: { required: true } }, questionText: "How did you like your lunch?" },
  },
  name: { summary: "A name for exports", value: { settings: {}, name: "lunch" } },
  logic: {
    summary: "Shown and required after some answers only",
    value: {
      settings: {},
      showIf: { elementId: "01h8x3k9q2w7d1ej", operator: "answered" },
      requiredIf: { not: { elementId: "01h8x3k9q2w7d1ej", operator: "not_answered" } },
    },
  },
  defaults: { summary: "Every setting of its type back to the default", value: { settings: { typeSettings: {} } } },
});

export const documentedChoice = withExamples(choiceBody, {
  reword: {
    summary: "Another title for a choice",
    value: { choiceId, questionId: "01h8x3k9q2x5g9hs", newTitle: "Yes, gladly" },
  },
});

export const documentedChoices = withExamples(choicesBody, {
  newList: {
    summary: "One that stays, the others go",
    value: { choices: [{ choiceId, title: "Yes" }] },
  },
});

export const documentedChoiceOrder = withExamples(choiceOrderBody, {
  order: { summary: "All choices in their new order", value: { choiceIds: [choiceId, "01h8x3k9q2y1v5gn"] } },
});

export const documentedOther = withExamples(otherBody, {
  on: { summary: "With a choice to fill in", value: { enabled: true, label: "Something else" } },
});

export const documentedNpsLabel = withExamples(npsLabelBody, {
  left: { summary: "The label at 0", value: { side: "left", text: "Never" } },
});

export const documentedNpsSettings = withExamples(npsSettingsBody, {
  subject: { summary: "Asks about something else", value: { subject: "our canteen", required: true } },
});

export const documentedRatingLabel = withExamples(ratingLabelBody, {
  best: { summary: "The label of the best", value: { position: 5, text: "Excellent" } },
});

export const documentedRatingSettings = withExamples(ratingSettingsBody, {
  hearts: { summary: "Five hearts, and it must be answered", value: { steps: 5, style: "heart", required: true } },
});
