import { isJsonObject, type JsonObject } from "@canvass/values";
import { listAt, objectAt, textAt } from "../json-values.ts";

/**
 * Returns an element of a document with the choices that it carries (contract 6.23) and their translations; one with
 * its own choices as it is. `find` returns an earlier element by its key.
 */
export function withCarriedChoices(element: JsonObject, find: (key: string) => JsonObject | undefined): JsonObject {
  if (!isJsonObject(element["choicesFrom"])) return element;
  const source = find(textAt(element["choicesFrom"], "element")) ?? {};
  const translations = carriedTranslations(objectAt(source, "translations"), objectAt(element, "translations"));
  return { ...element, choices: carriedChoices(source), translations };
}

/** Other is a choice like the others where it is carried. */
function carriedChoices(source: JsonObject): JsonObject[] {
  const other = objectAt(objectAt(source, "typeSettings"), "other");
  const { label = "Other", code } = other;
  return [
    ...(listAt(source, "choices") as JsonObject[])
      .filter(({ exclusive }) => exclusive !== true)
      .map(({ key, code: own, text }) => ({ key, ...(own !== undefined && { code: own }), text })),
    ...(other["enabled"] === true ? [{ key: "other", ...(code !== undefined && { code }), text: label }] : []),
  ];
}

function carriedTranslations(ofSource: JsonObject, own: JsonObject): JsonObject {
  const tags = [...new Set([...Object.keys(ofSource), ...Object.keys(own)])];
  return Object.fromEntries(
    tags.map((tag) => {
      const texts = objectAt(ofSource, tag);
      const carried = Object.entries(texts).filter(([place]) => place.startsWith("choices."));
      const other = texts["settings.other.label"];
      return [
        tag,
        {
          ...Object.fromEntries(carried),
          ...(other !== undefined && { "choices.other": other }),
          ...objectAt(own, tag),
        },
      ];
    }),
  );
}
