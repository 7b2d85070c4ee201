import { addressOf, consumerEnvironment, shellEnvironment } from "@canvass/service";
import { readConfig } from "@canvass/telemetry";
import { Type, type Static } from "typebox";

const environment = Type.Object({
  ...shellEnvironment,
  ...consumerEnvironment("survey"),
  CANVASS_RESPONSE_URL: addressOf("response"),
});

/** What the survey service reads from its environment; property names are the variables' names. */
export type SurveyConfig = Static<typeof environment>;

/** Throws one error naming every variable that is missing or wrong. */
export function readSurveyConfig(variables: NodeJS.ProcessEnv): SurveyConfig {
  return readConfig(environment, variables);
}
