import type { Link } from "@canvass/proto/distribution-links";
import type { GetPublicSurveyResponse } from "@canvass/proto/survey";
import { settingsWithDefaults, type SurveySettings, type SurveySettingsPatch } from "@canvass/questions";
import { Type } from "typebox";
import { named, shownAs } from "../schemas.ts";

export const publicSurveySchema = named("PublicSurvey", {
  name: Type.String(),
  description: Type.String(),
  language: Type.String({ description: "BCP 47" }),
  languages: Type.Array(Type.String(), { description: "its language, and the others it offers" }),
  settings: named("PublicSettings", {
    display: shownAs("DisplaySettings"),
    navigation: shownAs("NavigationSettings"),
    completion: shownAs("CompletionSettings"),
    locale: shownAs("LocaleSettings"),
  }),
});

/** Fills in the defaults of settings that an older survey service does not know. */
export function readSettings(json: string): SurveySettings {
  return settingsWithDefaults(JSON.parse(json) as SurveySettingsPatch);
}

export function publicSurveyView(link: Link, { name, description, language, collection }: GetPublicSurveyResponse) {
  const settings = readSettings(collection!.settingsJson);
  const { display, navigation, completion, locale, collection: collecting } = settings;
  const redirectUrl = link.redirectUrl || completion.redirectUrl;
  return {
    survey: {
      name,
      description,
      language,
      languages: [language, ...locale.additional],
      settings: { display, navigation, completion: { ...completion, redirectUrl }, locale },
    },
    closedMessage: collecting.closedMessage,
    allowsMultiple: link.allowMultiple && !collecting.preventDuplicates && link.linkId === "",
  };
}
