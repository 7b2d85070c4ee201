import { fileStoreEnvironment, fileStoreSettings } from "@canvass/file-store";
import { addressOf, consumerEnvironment, shellEnvironment } from "@canvass/service";
import { readConfig } from "@canvass/telemetry";
import Type, { type Static } from "typebox";

const environment = Type.Object({
  ...shellEnvironment,
  ...consumerEnvironment("response"),
  CANVASS_SURVEY_URL: addressOf("survey"),
  CANVASS_DISTRIBUTION_URL: addressOf("distribution"),
  ...fileStoreEnvironment,
  CANVASS_OPERATOR_KEY: Type.Optional(
    Type.String({
      minLength: 32,
      description: "secret of the operator command; without it results can not be verified",
    }),
  ),
});

export type ResponseConfig = Static<typeof environment>;

/** Reads the configuration; throws one error naming every variable at fault. */
export function readResponseConfig(source: NodeJS.ProcessEnv): ResponseConfig {
  const config = readConfig(environment, source);
  // Throws for settings that do not go together.
  fileStoreSettings(config);
  return config;
}
