import { fileStoreEnvironment, fileStoreRule } from "@canvass/file-store";
import { addressOf, serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";
import { Type } from "typebox";

export const responseSettings = serviceSettings(
  "response",
  {
    CANVASS_SURVEY_URL: addressOf("survey"),
    CANVASS_DISTRIBUTION_URL: addressOf("distribution"),
    ...fileStoreEnvironment,
    CANVASS_OPERATOR_KEY: Type.Optional(
      Type.String({
        minLength: 32,
        description: "proves the operator command; without it results can not be verified",
      }),
    ),
  },
  [fileStoreRule],
);

export type ResponseConfig = ConfigOf<typeof responseSettings>;

export const readResponseConfig = responseSettings.read;
