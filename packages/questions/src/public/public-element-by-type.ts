import { elementByType, typeSettingsSchema } from "../element-schemas.ts";
import { publicElement } from "./public-schema.ts";

/** An element as respondents get it, for API documents. */
export const publicElementByType = elementByType(
  "PublicElement",
  (type) => ({ ...publicElement.properties, settings: typeSettingsSchema(type) }),
  { additionalProperties: false },
);
