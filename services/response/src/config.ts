import { shellEnvironment } from "@canvass/service";
import { readConfig } from "@canvass/telemetry";
import Type, { type Static } from "typebox";

const environment = Type.Object({
  ...shellEnvironment,
  CANVASS_SURVEY_URL: Type.String({ minLength: 1, description: "RPC address of the survey service" }),
  CANVASS_WEBHOOK_URL: Type.String({ minLength: 1, description: "RPC address of the webhook service" }),
  CANVASS_DELIVERY_URL: Type.String({ minLength: 1, description: "RPC address of the delivery service" }),
});

export type ResponseConfig = Static<typeof environment>;

/** Reads the configuration; throws one error naming every variable at fault. */
export function readResponseConfig(source: NodeJS.ProcessEnv): ResponseConfig {
  return readConfig(environment, source);
}
