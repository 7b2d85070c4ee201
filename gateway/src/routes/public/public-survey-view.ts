import type { Link } from "@canvass/proto/distribution-links";
import type { GetPublicSurveyResponse } from "@canvass/proto/survey";
import {
  settingsWithDefaults,
  textsOfSurvey,
  translatedSettings,
  type SurveySettings,
  type SurveySettingsPatch,
} from "@canvass/questions";
import { languageKey } from "@canvass/values";
import { Type } from "typebox";
import { named, shownAs } from "../schemas.ts";

export const publicSurveySchema = named("PublicSurvey", {
  name: Type.String(),
  description: Type.String(),
  language: Type.String({ description: "BCP 47" }),
  shownLanguage: Type.String({
    description:
      "language of these texts: the one of `languages` that matches the requested language best, else `language`",
    examples: ["de"],
  }),
  languages: Type.Array(Type.String(), { description: "its own language, and the others that it offers" }),
  isAnonymous: Type.Boolean({
    description: "it collects with full anonymity, so only hidden fields with `allowAnonymous` are stored",
  }),
  settings: named("PublicSettings", {
    display: shownAs("DisplaySettings"),
    navigation: shownAs("NavigationSettings"),
    welcome: shownAs("WelcomeSettings"),
    completion: shownAs("CompletionSettings"),
    locale: shownAs("LocaleSettings"),
  }),
});

/** Fills in the defaults of settings that an older survey service does not know. */
export function readSettings(json: string): SurveySettings {
  return settingsWithDefaults(JSON.parse(json) as SurveySettingsPatch);
}

export function publicSurveyView(link: Link, survey: GetPublicSurveyResponse) {
  const { name, description, language, collection } = survey;
  const texts = JSON.parse(survey.textsJson || "{}") as Record<string, string>;
  const settings = shownSettings(readSettings(collection!.settingsJson), texts);
  const { display, navigation, welcome, completion, locale, privacy, collection: collecting } = settings;
  const redirectUrl = link.redirectUrl || completion.redirectUrl;
  return {
    survey: {
      name: texts["name"] ?? name,
      description: description && (texts["description"] ?? description),
      language,
      shownLanguage: survey.shownLanguage || language,
      languages: [language, ...locale.languages.filter((tag) => languageKey(tag) !== languageKey(language))],
      isAnonymous: privacy.anonymity === "full",
      settings: { display, navigation, welcome, completion: { ...completion, redirectUrl }, locale },
    },
    closedMessage: collecting.closedMessage,
    allowsMultiple: link.allowMultiple && !collecting.preventDuplicates && link.linkId === "",
  };
}

/** The languages to choose from: that of the request (`asked`), and that of the personal link's contact. */
export function wantedLanguages(asked: string | undefined, { language }: Pick<Link, "language">) {
  return { wantedLanguage: asked ?? "", contactLanguage: language };
}

/** Replaces texts of the settings by their translations. Adds no text that the settings lack. */
function shownSettings(settings: SurveySettings, texts: Record<string, string>): SurveySettings {
  const translations = Object.fromEntries(Object.entries(texts).map(([place, text]) => [place, { text, source: "" }]));
  return translatedSettings(settings, translations, textsOfSurvey({ name: "", description: "", settings }));
}

/** The language to translate the definition into; empty for the survey's own. */
export const translationLanguage = ({ language, shownLanguage }: { language: string; shownLanguage: string }): string =>
  shownLanguage === language ? "" : shownLanguage;
