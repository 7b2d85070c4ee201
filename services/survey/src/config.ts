import { addressSetting, fileMegabytesSetting, serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";

export const surveySettings = serviceSettings("survey", {
  CANVASS_RESPONSE_URL: addressSetting("response"),
  CANVASS_FILE_MB: fileMegabytesSetting,
});

export type SurveyConfig = ConfigOf<typeof surveySettings>;

export const readSurveyConfig = surveySettings.read;
