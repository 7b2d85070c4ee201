import { busEnvironment } from "@canvass/events";
import { readConfig, serviceEnvironment } from "@canvass/telemetry";
import { Type, type Static } from "typebox";

const environment = Type.Object({
  ...serviceEnvironment,
  ...busEnvironment,
  DATABASE_URL: Type.String({ minLength: 1, description: "PostgreSQL database of this service" }),
  CANVASS_DATABASE_POOL: Type.Integer({ minimum: 2, default: 10, description: "database connections" }),
  CANVASS_TOKEN_URL: Type.String({ pattern: "^https?://", description: "address of the token service's RPCs" }),
  CANVASS_RESPONSE_URL: Type.String({ pattern: "^https?://", description: "address of the response service's RPCs" }),
  CANVASS_CURSOR_KEY: Type.String({ minLength: 43, description: "32 bytes in base64; authenticates paging cursors" }),
});

/** What the survey service reads from its environment; property names are the variables' names. */
export type SurveyConfig = Static<typeof environment>;

/** Throws one error naming every variable that is missing or wrong. */
export function readSurveyConfig(variables: NodeJS.ProcessEnv): SurveyConfig {
  return readConfig(environment, variables);
}
