import { busEnvironment } from "@canvass/events";
import { addressVariable } from "@canvass/processes";
import { consumersOf, type ConsumingService } from "@canvass/processes/event-catalogue";
import { serviceEnvironment } from "@canvass/telemetry";
import { Type, type Static, type TObject, type TString } from "typebox";

export const shellEnvironment = {
  ...serviceEnvironment,
  ...busEnvironment,
  DATABASE_URL: Type.String({ minLength: 1, description: "PostgreSQL database of this service" }),
  CANVASS_DATABASE_POOL: Type.Integer({ default: 10, minimum: 4, description: "database connections" }),
  CANVASS_CURSOR_KEY: Type.String({
    pattern: "^[A-Za-z0-9+/]{43,}=*(?:\\s*,\\s*[A-Za-z0-9+/]{43,}=*)*$",
    description:
      "32 bytes in base64 that authenticate cursors and keep idempotent bodies from being guessed; several, newest first, " +
      "while one is replaced",
  }),
  CANVASS_OPERATOR_KEY: Type.Optional(
    Type.String({
      minLength: 32,
      description: "proves the operator command; without it operators can do nothing here",
    }),
  ),
} as const;

/** Settings for the addresses of the services that consume a service's events; part of its schema. */
export function consumerEnvironment<Source extends string>(source: Source) {
  const variables = consumersOf(source).map(({ service }) => [addressVariable(service), addressSetting(service)]);
  return Object.fromEntries(variables) as {
    [Service in ConsumingService<Source> as `CANVASS_${Uppercase<Service>}_URL`]: TString;
  };
}

/** Upload limit: the response service accepts no larger file, the survey service publishes no larger limit. */
export const fileMegabytesSetting = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  default: 100,
  description: "largest file of a respondent, which no question may exceed, in megabytes",
});

export const addressSetting = (service: string): TString =>
  Type.String({ pattern: "^https?://", description: `address of the ${service} service's RPCs` });

export type ShellConfig = Static<TObject<typeof shellEnvironment>>;
