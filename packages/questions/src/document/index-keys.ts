import { joinPath } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import { withCarried } from "../carried-choices.ts";
import { questionTypeOf } from "../catalogue.ts";
import type { ChoicesFrom } from "../choices-from.ts";
import type { Question } from "../definition.ts";
import type { ReadContext } from "./read-element.ts";
import type { ElementAtPath, PageInput } from "./read-page.ts";
import type { Nameable } from "./read-rules.ts";

/** Indexes the pages and elements that logic may name by key. Adds a violation for each key that is given twice. */
export function indexKeys(pages: readonly PageInput[], { keys, violations }: ReadContext): Omit<Nameable, "fields"> {
  const pageIds = new Map<string, string>();
  const elements = new Map<string, Question | undefined>();
  const add = <Value>(known: Map<string, Value>, key: unknown, value: Value, path: string, kind: string) => {
    if (typeof key !== "string") return;
    if (known.has(key)) violations.push({ path: joinPath(path, "key"), message: `is the key of another ${kind}` });
    else known.set(key, value);
  };
  for (const page of pages) {
    const { path, input } = page;
    if (input["key"] === "end") violations.push({ path: joinPath(path, "key"), message: "must not be end" });
    add(pageIds, input["key"], page.pageId, path, "page");
    for (const each of page.elements) {
      add(elements, each.key, withCarriedChoices(each, elements), each.path, "element");
    }
  }
  return { elements, pages: pageIds, keys };
}

/** Returns the question with the choices that it carries from an earlier one, because conditions may name them. */
function withCarriedChoices(
  { input, element }: ElementAtPath,
  earlier: ReadonlyMap<string, Question | undefined>,
): Question | undefined {
  const from = ownValue(input, "choicesFrom");
  if (!element || !isJsonObject(from)) return element?.question;
  const { question } = element;
  // The document names the source by key, so `elementId` holds a key here.
  const choicesFrom: ChoicesFrom = { elementId: String(from["element"]), which: "selected" };
  const carrying = { ...question, logic: { choicesFrom } };
  return withCarried(carrying, questionTypeOf(question), ({ elementId: key }) => earlier.get(key));
}
