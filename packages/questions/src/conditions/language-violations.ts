import { joinPath, type Violation } from "@canvass/inputs";
import { languageKey } from "@canvass/values";
import type { SurveyDefinition } from "../definition.ts";
import type { Condition } from "./condition.ts";
import { asksAnswers, leavesOf } from "./tree.ts";

/** Returns the conditions that compare with a language other than those that the survey offers. */
export function languageViolations(definition: SurveyDefinition, languages: readonly string[]): Violation[] {
  const offered = new Set(languages.map(languageKey));
  const message = `must be languages of the survey (${languages.join(", ")})`;
  return conditionsIn(definition).flatMap(([condition, path]) =>
    [...leavesOf(condition, path)].flatMap(({ leaf, path: at }) => {
      if (asksAnswers(leaf) || !("language" in leaf)) return [];
      const tags = [leaf.value ?? []].flat().filter((tag) => typeof tag === "string");
      return tags.every((tag) => offered.has(languageKey(tag))) ? [] : { path: joinPath(at, "value"), message };
    }),
  );
}

function conditionsIn({ pages, quotas = [] }: SurveyDefinition): [condition: Condition, path: string][] {
  const ofPages = pages.flatMap(({ showIf, skipLogic, elements }, index) => {
    const own = elements.flatMap(({ logic = {} }, at) => {
      const place = `pages.${index}.elements.${at}`;
      return [
        placed(logic.showIf, `${place}.showIf`),
        placed(logic.requiredIf, `${place}.requiredIf`),
        ...(logic.constraints ?? []).map(({ must }, nth) => placed(must, `${place}.constraints.${nth}.must`)),
      ].flat();
    });
    const rules = skipLogic.flatMap(({ when }, nth) => placed(when, `pages.${index}.skipLogic.${nth}.when`));
    return [...placed(showIf, `pages.${index}.showIf`), ...rules, ...own];
  });
  return [...ofPages, ...quotas.flatMap(({ when }, at) => placed(when, `quotas.${at}.when`))];
}

const placed = (condition: Condition | undefined, path: string): [condition: Condition, path: string][] =>
  condition ? [[condition, path]] : [];
