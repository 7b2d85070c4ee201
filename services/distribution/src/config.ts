import { addressOf, serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";

export const distributionSettings = serviceSettings("distribution", {
  CANVASS_SURVEY_URL: addressOf("survey"),
  CANVASS_RESPONSE_URL: addressOf("response"),
});

export type DistributionConfig = ConfigOf<typeof distributionSettings>;

export const readDistributionConfig = distributionSettings.read;
