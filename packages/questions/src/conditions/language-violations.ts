import { joinPath, type Violation } from "@canvass/inputs";
import { languageKey } from "@canvass/values";
import { entryPath } from "../conditional-entries.ts";
import type { SurveyDefinition } from "../definition.ts";
import type { Condition } from "./condition.ts";
import { leavesOf } from "./tree.ts";

/** Returns a violation for each comparison with a language that the survey does not offer. */
export function languageViolations(definition: SurveyDefinition, languages: readonly string[]): Violation[] {
  const offered = new Set(languages.map(languageKey));
  const message = `must be languages of the survey (${languages.join(", ")})`;
  return conditionsIn(definition).flatMap(([condition, path]) =>
    [...leavesOf(condition, path)].flatMap(({ leaf, path: leafPath }) => {
      if (!("language" in leaf)) return [];
      // Absent, one tag or a list of tags.
      const tags = [leaf.value ?? []].flat().filter((tag) => typeof tag === "string");
      return tags.every((tag) => offered.has(languageKey(tag))) ? [] : { path: joinPath(leafPath, "value"), message };
    }),
  );
}

/** Paths follow the API, which has no `logic` level. */
function conditionsIn({ pages, quotas = [] }: SurveyDefinition): [condition: Condition, path: string][] {
  const ofPages = pages.flatMap(({ showIf, skipLogic, elements }, index) => {
    const ofElements = elements.flatMap((question, at) => {
      const { logic = {} } = question;
      const path = `pages.${index}.elements.${at}`;
      return [
        withPath(logic.showIf, `${path}.showIf`),
        withPath(logic.requiredIf, `${path}.requiredIf`),
        ...(logic.constraints ?? []).map(({ must }, nth) => withPath(must, `${path}.constraints.${nth}.must`)),
        ...Object.entries(logic.entries ?? {}).map(([id, condition]) =>
          withPath(condition, `${path}.${entryPath(question, id)}.showIf`),
        ),
      ].flat();
    });
    const rules = skipLogic.flatMap(({ when }, nth) => withPath(when, `pages.${index}.skipLogic.${nth}.when`));
    return [...withPath(showIf, `pages.${index}.showIf`), ...rules, ...ofElements];
  });
  return [...ofPages, ...quotas.flatMap(({ when }, at) => withPath(when, `quotas.${at}.when`))];
}

const withPath = (condition: Condition | undefined, path: string): [condition: Condition, path: string][] =>
  condition ? [[condition, path]] : [];
