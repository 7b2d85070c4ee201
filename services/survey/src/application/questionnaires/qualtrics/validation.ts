import type { JsonObject } from "@canvass/values";
import { objectAt, textAt } from "../json-values.ts";
import type { DraftElement } from "../questionnaire.ts";
import { change, cut, type ReportItem } from "../report.ts";

/** Our settings of a question type by the limits of Qualtrics. */
const limits: Record<string, Record<string, string>> = {
  multiple_choice: { MinChoices: "minSelections", MaxChoices: "maxSelections" },
  long_text: { MinChars: "minLength", MaxChars: "maxLength", TotalChars: "maxLength" },
  short_text: { MinChars: "minLength", MaxChars: "maxLength", TotalChars: "maxLength" },
  number: { Min: "min", Max: "max", NumDecimals: "decimals" },
};
/** Limits that a kind of validation has; a file may hold others without effect. */
const limitsOfKind: Record<string, readonly string[]> = {
  ChoiceRange: ["MinChoices", "MaxChoices"],
  MinChoices: ["MinChoices"],
  MaxChoices: ["MaxChoices"],
  CharRange: ["MinChars", "MaxChars"],
  MinChar: ["MinChars"],
  TotalChar: ["TotalChars"],
  ContentType: ["Min", "Max", "NumDecimals"],
};
const contents = ["ValidNumber", "ValidEmail", "ValidPhone", "ValidDate"];

/** Makes a question required and limits its answers, as its validation says. Reports what the survey cannot say. */
export function readValidation(
  payload: JsonObject,
  element: DraftElement,
  typeSettings: JsonObject,
  item: ReportItem,
): void {
  const validation = objectAt(objectAt(payload, "Validation"), "Settings");
  if (/^(ON|YES)$/i.test(textAt(validation, "ForceResponse"))) {
    if (textAt(validation, "ForceResponseType") === "RequestResponse")
      change(item, "an answer is not asked for once more");
    else if (element.type !== "statement") element["required"] = true;
  }
  const kind = textAt(validation, "Type");
  const content = textAt(validation, "ContentType");
  if (kind === "" || kind === "None") return;
  if (!Object.hasOwn(limitsOfKind, kind) || (kind === "ContentType" && !contents.includes(content)))
    return change(item, `its validation ${cut(kind === "ContentType" ? content : kind)} is left out`);
  const given = content === "ValidNumber" ? objectAt(validation, "ValidNumber") : validation;
  const own = Object.hasOwn(limits, element.type) ? limits[element.type]! : {};
  for (const limit of limitsOfKind[kind]!) {
    const value = textAt(given, limit).trim();
    if (value === "") continue;
    if (own[limit] !== undefined && Number.isFinite(Number(value))) typeSettings[own[limit]] = Number(value);
    else change(item, `its limit ${limit} is left out`);
  }
}
