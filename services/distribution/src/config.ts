import { shellEnvironment } from "@canvass/service";
import { readConfig } from "@canvass/telemetry";
import { Type, type Static } from "typebox";

const environment = Type.Object({ ...shellEnvironment });

export type DistributionConfig = Static<typeof environment>;

export function readDistributionConfig(source: NodeJS.ProcessEnv): DistributionConfig {
  return readConfig(environment, source);
}
