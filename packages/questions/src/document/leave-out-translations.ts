import { isJsonObject, type JsonObject } from "@canvass/values";

/** Lists of a document whose items have translations. */
const translatedLists = ["pages", "elements", "quotas"];

/** Returns a document in the language of its survey alone. */
export function leaveOutTranslations(document: JsonObject): JsonObject {
  const members = Object.entries(document).filter(([name]) => name !== "translations");
  const left = members.map(([name, value]) => {
    if (!translatedLists.includes(name) || !Array.isArray(value)) return [name, value];
    return [name, value.map((each: unknown) => (isJsonObject(each) ? leaveOutTranslations(each) : each))];
  });
  return Object.fromEntries(left) as JsonObject;
}
