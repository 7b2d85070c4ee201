import { readConfig, serviceEnvironment } from "@canvass/telemetry";
import Type, { type Static } from "typebox";

const environment = Type.Object({
  ...serviceEnvironment,
  DATABASE_URL: Type.String({ minLength: 1, description: "PostgreSQL database of the distribution service" }),
  CANVASS_DATABASE_POOL: Type.Integer({ default: 5, minimum: 1, description: "database connections" }),
});

export type DistributionConfig = Static<typeof environment>;

/** Reads the configuration; throws one error naming every variable at fault. */
export function readDistributionConfig(source: NodeJS.ProcessEnv): DistributionConfig {
  return readConfig(environment, source);
}
