import { busEnvironment } from "@canvass/events";
import { serviceEnvironment } from "@canvass/telemetry";
import { Type, type Static, type TObject } from "typebox";

/** Variables that every service reads the same way; part of its own schema. */
export const shellEnvironment = {
  ...serviceEnvironment,
  ...busEnvironment,
  DATABASE_URL: Type.String({ minLength: 1, description: "PostgreSQL database of this service" }),
  CANVASS_DATABASE_POOL: Type.Integer({ default: 10, minimum: 4, description: "database connections" }),
  CANVASS_CURSOR_KEY: Type.String({ minLength: 43, description: "32 bytes in base64 that authenticate cursors" }),
} as const;

/** The part of a service's configuration that the shell reads. */
export type ShellConfig = Static<TObject<typeof shellEnvironment>>;
