import { closed, createExportBody } from "@canvass/inputs";
import { Type, type Static } from "typebox";
import { conditionInput } from "./conditions/condition-input.ts";

/** A request for an export of the respondents that fulfil `where`, which `readCondition` validates. */
export const exportBody = closed({
  ...createExportBody.properties,
  where: Type.Optional(Type.Unsafe<unknown>({ ...conditionInput, "x-judged-by": "condition" })),
});

export type ExportBody = Static<typeof exportBody>;
