import type { SurveyDefinition, Translations } from "../definition.ts";
import { textsOfSurvey, type SurveyTexts } from "./survey-texts.ts";
import { textsOfPage, textsOfQuestion, textsOfQuota, type PlacedText } from "./text-places.ts";

/** A survey with all its texts. Translations of the survey's own texts are stored next to the definition. */
export interface TranslatedSurvey extends SurveyTexts {
  translations: Translations;
  definition: SurveyDefinition;
}

/** What translations are stored with: the survey itself, a page, an element or a quota. */
export interface TextOwner {
  kind: "survey" | "page" | "element" | "quota";
  id: string;
  texts: readonly PlacedText[];
  translations: Translations;
  /** The place of a text within the survey (contract 6.17). */
  keyOf: (place: string) => string;
}

/** Order of texts: the survey itself, then each page with its elements, then quotas. */
export function* textOwners(survey: TranslatedSurvey): Generator<TextOwner, void> {
  yield { kind: "survey", id: "", texts: textsOfSurvey(survey), translations: survey.translations, keyOf: ofSurvey };
  for (const page of survey.definition.pages) {
    const { pageId, translations = {}, elements } = page;
    yield {
      kind: "page",
      id: pageId,
      texts: textsOfPage(page),
      translations,
      keyOf: (place) => `pages.${pageId}.${place}`,
    };
    for (const question of elements) {
      const { elementId, translations: own = {} } = question;
      const keyOf = (place: string) => (ofEntry.test(place) ? place : `elements.${elementId}.${place}`);
      yield { kind: "element", id: elementId, texts: textsOfQuestion(question), translations: own, keyOf };
    }
  }
  for (const quota of survey.definition.quotas ?? []) {
    const { quotaId, translations = {} } = quota;
    const keyOf = (place: string) => `quotas.${quotaId}.${place}`;
    yield { kind: "quota", id: quotaId, texts: textsOfQuota(quota), translations, keyOf };
  }
}

/** Ids of entries differ within the survey. */
const ofEntry = /^(choices|rows|columns|options)\./;

const ofSurvey = (place: string): string => (place.startsWith("settings.") ? place : `survey.${place}`);
