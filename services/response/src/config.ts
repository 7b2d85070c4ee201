import { fileStoreEnvironment, fileStoreRule } from "./storage/file-store/file-store-settings.ts";
import { addressSetting, fileMegabytesSetting, serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";
import { Type } from "typebox";
import type { FileLimits } from "./domain/files/file-limits.ts";

const megabyte = 1_048_576;

export const responseSettings = serviceSettings(
  "response",
  {
    CANVASS_SURVEY_URL: addressSetting("survey"),
    CANVASS_DISTRIBUTION_URL: addressSetting("distribution"),
    ...fileStoreEnvironment,
    CANVASS_FILE_MB: fileMegabytesSetting,
    CANVASS_FILES_MB: megabytes(10_240, "all files of a workspace's respondents"),
    CANVASS_UNANSWERED_FILES_MB: megabytes(1_024, "those of them that no answer names yet"),
  },
  [fileStoreRule],
);

export type ResponseConfig = ConfigOf<typeof responseSettings>;

export const readResponseConfig = responseSettings.read;

function megabytes(usual: number, description: string) {
  return Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    default: usual,
    description: `${description}, in megabytes`,
  });
}

export function fileLimits(config: ResponseConfig): FileLimits {
  return {
    perFile: config.CANVASS_FILE_MB * megabyte,
    perWorkspace: config.CANVASS_FILES_MB * megabyte,
    unanswered: config.CANVASS_UNANSWERED_FILES_MB * megabyte,
  };
}
