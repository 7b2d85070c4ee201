import { addressSetting, serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";

export const distributionSettings = serviceSettings("distribution", {
  CANVASS_SURVEY_URL: addressSetting("survey"),
  CANVASS_RESPONSE_URL: addressSetting("response"),
});

export type DistributionConfig = ConfigOf<typeof distributionSettings>;

export const readDistributionConfig = distributionSettings.read;
