import { applyElementSettings, elementSettingsSchema } from "../element-settings.ts";
import {
  choiceEdit,
  choiceOrderEdit,
  choicesEdit,
  deleteChoiceEdit,
  deleteImageChoiceEdit,
  otherEdit,
} from "./choices.ts";
import type { ElementEdit } from "./element-edit.ts";
import { npsLabelEdit, npsSettingsEdit, ratingLabelEdit, ratingSettingsEdit } from "./scales.ts";

/** Edits wording, settings and lists of any question (contract 6.8). Validates its own input. */
const settingsEdit: ElementEdit = {
  takes: "a question",
  fits: () => true,
  input: elementSettingsSchema,
  apply: applyElementSettings,
};

export const elementEdits = {
  settings: settingsEdit,
  choice: choiceEdit,
  choices: choicesEdit,
  choiceOrder: choiceOrderEdit,
  other: otherEdit,
  deleteChoice: deleteChoiceEdit,
  deleteImageChoice: deleteImageChoiceEdit,
  npsLabel: npsLabelEdit,
  npsSettings: npsSettingsEdit,
  ratingLabel: ratingLabelEdit,
  ratingSettings: ratingSettingsEdit,
} as const satisfies Record<string, ElementEdit>;

export type ElementEditName = keyof typeof elementEdits;
