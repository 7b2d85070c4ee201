import type { JsonObject } from "@canvass/values";
import { hasMarks } from "../form-markup.ts";
import { objectAt, textAt } from "../json-values.ts";

/** Settings that a form can express. */
const said: Record<string, readonly string[]> = {
  number: ["min", "max"],
  slider: ["min", "max", "step"],
  rating: ["steps"],
  multiple_choice: ["multipleAnswers", "shuffle", "minSelections", "maxSelections"],
  image_choice: ["multipleAnswers", "shuffle"],
  dropdown: ["shuffle"],
  ranking: ["shuffle"],
  date_time: ["mode", "min", "max"],
  matrix: ["multiple"],
  nps: ["subject"],
  yes_no: ["labels"],
};

/** Returns the settings of an element that a form cannot express. */
export function unsaidSettings(element: JsonObject): string[] {
  const settings = objectAt(element, "typeSettings");
  const ownSaid = said[textAt(element, "type")] ?? [];
  return Object.keys({ ...settings, textFormat: "" }).flatMap((name) => {
    if (ownSaid.includes(name)) return [];
    // A form shows the text as Markdown if it has marks.
    if (name === "textFormat") return (settings[name] === "markdown") === hasMarks(element) ? [] : [name];
    if (name === "other") return unsaidOfOther(objectAt(settings, name), objectAt(element, "translations"));
    return name === "decimals" && settings[name] === 0 ? [] : [name];
  });
}

/** A form has the choice Other under its own name only. */
function unsaidOfOther({ label = "Other", code }: JsonObject, translations: JsonObject): string[] {
  const isTranslated = Object.values(translations).some((texts) => textAt(texts, "settings.other.label") !== "");
  return [
    ...(label !== "Other" || isTranslated ? ["other.label"] : []),
    ...(code === undefined || code === null ? [] : ["other.code"]),
  ];
}
