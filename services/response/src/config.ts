import { busEnvironment } from "@canvass/events";
import { readConfig, serviceEnvironment } from "@canvass/telemetry";
import Type, { type Static } from "typebox";

const environment = Type.Object({
  ...serviceEnvironment,
  ...busEnvironment,
  DATABASE_URL: Type.String({ minLength: 1, description: "PostgreSQL database of the response service" }),
  CANVASS_DATABASE_POOL: Type.Integer({ default: 10, minimum: 2, description: "database connections" }),
  CANVASS_SURVEY_URL: Type.String({ minLength: 1, description: "RPC address of the survey service" }),
  CANVASS_WEBHOOK_URL: Type.String({ minLength: 1, description: "RPC address of the webhook service" }),
  CANVASS_DELIVERY_URL: Type.String({ minLength: 1, description: "RPC address of the delivery service" }),
});

export type ResponseConfig = Static<typeof environment>;

/** Reads the configuration; throws one error naming every variable at fault. */
export function readResponseConfig(source: NodeJS.ProcessEnv): ResponseConfig {
  return readConfig(environment, source);
}
