import { Type } from "typebox";

const KEY = "[A-Za-z0-9+/]{43}=";

/** Environment variable of processes that store signing secrets. */
export const secretsKeyEnvironment = {
  CANVASS_SECRETS_KEY: Type.String({
    pattern: `^${KEY}(?:\\s*,\\s*${KEY})*$`,
    description: "32 bytes in base64 that encrypt signing secrets; several, newest first, while one is replaced",
  }),
} as const;
