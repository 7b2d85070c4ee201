import { addressOf, consumerEnvironment, shellEnvironment } from "@canvass/service";
import { readConfig } from "@canvass/telemetry";
import { Type, type Static } from "typebox";

const environment = Type.Object({
  ...shellEnvironment,
  ...consumerEnvironment("distribution"),
  CANVASS_SURVEY_URL: addressOf("survey"),
  CANVASS_RESPONSE_URL: addressOf("response"),
});

export type DistributionConfig = Static<typeof environment>;

export function readDistributionConfig(source: NodeJS.ProcessEnv): DistributionConfig {
  return readConfig(environment, source);
}
