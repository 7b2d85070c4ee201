import { ConfigError, type ConfigRule } from "@canvass/telemetry";
import { Type, type Static, type TObject } from "typebox";

export const fileStoreEnvironment = {
  CANVASS_FILES_DIR: Type.Optional(
    Type.String({
      description: "folder for files, shared by the replicas, while no bucket is named",
      examples: ["/tmp"],
    }),
  ),
  CANVASS_S3_BUCKET: Type.Optional(
    Type.String({
      description: "bucket for files of exports and respondents, which all replicas must reach",
      examples: ["canvass-files"],
    }),
  ),
  CANVASS_S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: "^https?://",
      description: "address of another server than Amazon's",
      examples: ["https://s3.example.com"],
    }),
  ),
  CANVASS_S3_REGION: Type.String({ default: "us-east-1", description: "region of the bucket" }),
  CANVASS_S3_ACCESS_KEY_ID: Type.Optional(Type.String({ description: "key of the bucket", examples: ["canvass"] })),
  CANVASS_S3_SECRET_ACCESS_KEY: Type.Optional(Type.String({ description: "secret of that key" })),
} as const;

export interface S3Settings {
  bucket: string;
  region: string;
  endpoint?: string | undefined;
  /** If absent, the keys of the machine's role apply. */
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
}

/** Location of files. Plain data, so that threads can receive it. */
export type FileStoreSettings = { folder: string } | S3Settings;

type FileStoreConfig = Static<TObject<typeof fileStoreEnvironment>>;

export const fileStoreRule: ConfigRule<FileStoreConfig> = {
  variables: ["CANVASS_S3_ACCESS_KEY_ID", "CANVASS_S3_SECRET_ACCESS_KEY"],
  validate: fileStoreSettings,
};

export function fileStoreSettings(config: FileStoreConfig): FileStoreSettings | undefined {
  const { CANVASS_S3_ACCESS_KEY_ID: accessKeyId, CANVASS_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (!accessKeyId !== !secretAccessKey) {
    throw new ConfigError("CANVASS_S3_ACCESS_KEY_ID and CANVASS_S3_SECRET_ACCESS_KEY must be given together");
  }
  const { CANVASS_S3_BUCKET: bucket, CANVASS_S3_ENDPOINT: endpoint, CANVASS_S3_REGION: region } = config;
  if (bucket) return { bucket, endpoint, region, accessKeyId, secretAccessKey };
  return config.CANVASS_FILES_DIR ? { folder: config.CANVASS_FILES_DIR } : undefined;
}
