import { elementByType, typeSettingsSchema, type QuestionType } from "@canvass/questions";
import { Type } from "typebox";
import { named } from "../schemas.ts";
import { detailedFields, listedFields, responseValidation } from "./element-view.ts";

const settingsOf = (type: QuestionType) => {
  const typeSettings = typeSettingsSchema(type);
  const { title } = typeSettings as { title: string };
  return named(`Element${title}`, { typeSettings, responseValidation });
};

/** A schema of elements by type for the OpenAPI document, with the settings of each type. */
export const listedElementByTypeSchema = elementByType("SurveyElement", (type) => ({
  ...listedFields,
  settings: Type.Optional(settingsOf(type)),
}));

export const elementByTypeSchema = elementByType("ElementDetails", (type) => ({
  ...detailedFields,
  settings: settingsOf(type),
}));
