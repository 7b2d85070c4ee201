import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { objectAt, textAt } from "../json-values.ts";

/** Returns the parts of a side-by-side question as questions of their own, with ids as exports name them, such as `QID1#2`. */
export function partsOfSideBySide(id: string, payload: JsonObject): [id: string, payload: JsonObject][] {
  if (textAt(payload, "QuestionType") !== "SBS") return [];
  const { QuestionText: text, DataExportTag: tag, Validation, DisplayLogic, Language } = payload;
  const shared = { ChoiceOrder: payload["ChoiceOrder"], DisplayLogic, Language };
  return Object.entries(objectAt(payload, "AdditionalQuestions")).flatMap(([at, part]): [string, JsonObject][] => {
    if (!isJsonObject(part)) return [];
    const own = {
      ...shared,
      Choices: payload["Choices"],
      ...part,
      QuestionText: [text, ownValue(part, "QuestionText")].filter((each) => typeof each === "string").join("<br>"),
      DataExportTag: textAt(part, "DataExportTag") || `${textAt({ tag }, "tag") || id}#${at}`,
      Validation: isForced(Validation) ? Validation : part["Validation"],
    };
    return [[`${id}#${at}`, own]];
  });
}

const isForced = (validation: unknown): boolean =>
  /^(ON|YES)$/i.test(textAt(objectAt(validation, "Settings"), "ForceResponse"));
