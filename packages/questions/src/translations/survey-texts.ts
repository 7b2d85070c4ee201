import { surveyFields } from "@canvass/inputs";
import { placedSettings, storedSetting, type SurveySettingsPatch } from "../survey-settings.ts";
import { longestIn, placed, type PlacedText } from "./text-places.ts";

/** The texts of the survey itself, without those of its pages. */
export interface SurveyTexts {
  name: string;
  description: string;
  /** As stored. */
  settings: SurveySettingsPatch;
}

const textSettings = placedSettings.filter(({ setting }) => setting.isText);

/** Places are `name`, `description` and `settings.<group>.<key>`. */
export function textsOfSurvey({ name, description, settings }: SurveyTexts): PlacedText[] {
  return [
    ...placed("name", name, longestIn(surveyFields.name.schema)),
    ...placed("description", description, longestIn(surveyFields.description.schema)),
    ...textSettings.flatMap(({ group, key, setting }) =>
      placed(`settings.${group}.${key}`, storedSetting(settings, group, key), longestIn(setting.schema)),
    ),
  ];
}
