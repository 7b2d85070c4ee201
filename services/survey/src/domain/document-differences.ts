import { isSameJson } from "@canvass/values";
import { surveyFieldsOf } from "@canvass/inputs";
import { dropEmptyPages, listsOf, surveyLists, type TranslatedSurvey } from "@canvass/questions";
import type { SurveyDocument } from "./read-survey-document.ts";
import type { SurveyRecord } from "./survey-record.ts";

/**
 * Returns the places of a document that differ from the survey: fields of the survey, `settings.<group>.<key>`,
 * `translations`, lists and `pages`. Ignores empty pages, so that a document equals the survey after publishing, which
 * drops them. A password given as text always differs, so that nobody learns by this whether it is the stored one.
 */
export function documentDifferences(
  survey: SurveyRecord,
  { definition: draft, translations: former }: Pick<TranslatedSurvey, "definition" | "translations">,
  {
    fields,
    settings: { settings },
    translations,
    definition,
  }: Pick<SurveyDocument, "fields" | "settings" | "translations" | "definition">,
): string[] {
  const ofFields = Object.entries(surveyFieldsOf(survey)).filter(
    ([name, value]) => !isSameJson(value, fields[name as keyof typeof fields]),
  );
  const [before, after] = [dropEmptyPages(draft).pages, dropEmptyPages(definition).pages];
  const isSame =
    before.length === after.length && before.every((page, at) => page === after[at] || isSameJson(page, after[at]));
  const ofLists = surveyLists.filter((name) => !isSameJson(listsOf(draft)[name], listsOf(definition)[name]));
  return [
    ...ofFields.map(([name]) => name),
    ...Object.entries(settings).flatMap(([group, values]) =>
      Object.keys(values).map((key) => `settings.${group}.${key}`),
    ),
    ...(isSameJson(former, translations) ? [] : ["translations"]),
    ...ofLists,
    ...(isSame ? [] : ["pages"]),
  ];
}
