import type { ProcessDefinition } from "./process-definition.ts";

export const serviceNames = ["token", "survey", "response", "distribution", "webhook", "delivery"] as const;
export type ServiceName = (typeof serviceNames)[number];

const gateway: ProcessDefinition = {
  name: "gateway",
  main: "gateway/src/main.ts",
  asks: serviceNames,
  // For rate limit counters.
  connections: 2,
  settings: [
    "CANVASS_HOST",
    "CANVASS_PORT",
    "CANVASS_PUBLIC_URL",
    "CANVASS_TRUSTED_PROXIES",
    "CANVASS_COUNTRY_HEADER",
    "CANVASS_COUNTRY_DATABASE",
    "CANVASS_REQUEST_TIMEOUT_MS",
    "CANVASS_READER_IDLE_MS",
    "CANVASS_READER_BYTES_PER_SECOND",
    "CANVASS_REQUEST_LOG",
    "CANVASS_RATE_LIMITS",
    "CANVASS_RATE_LIMIT_READS",
    "CANVASS_RATE_LIMIT_WRITES",
    "CANVASS_RATE_LIMIT_SUBMISSIONS",
    "CANVASS_RATE_LIMIT_LINKS",
    "CANVASS_RATE_LIMIT_RESPONDENTS",
    "CANVASS_RATE_LIMIT_UPLOADS",
    "CANVASS_RATE_LIMIT_DOCUMENTS",
    "CANVASS_RATE_LIMIT_UNAUTHENTICATED",
    "CANVASS_RATE_LIMIT_OVERRIDES",
    "CANVASS_CORS_ORIGINS",
  ],
  secrets: ["CANVASS_RATE_LIMIT_DATABASE_URL"],
};

const webhookSettings = ["CANVASS_WEBHOOK_ALLOWED_CIDRS", "CANVASS_WEBHOOK_PORTS", "CANVASS_WEBHOOK_CA_FILE"];

const POOL = 10;

const services: Record<ServiceName, Pick<ProcessDefinition, "asks" | "secrets" | "settings" | "connections">> = {
  token: {
    asks: [],
    secrets: ["CANVASS_CALLER_PRIVATE_KEY", "CANVASS_SMTP_URL"],
    settings: ["CANVASS_SMTP_CA_FILE", "CANVASS_MAIL_DIR", "CANVASS_MAIL_FROM"],
  },
  survey: { asks: ["response"], settings: ["CANVASS_FILE_MB"] },
  response: {
    asks: ["survey", "distribution"],
    // Eight for streams, one for recounts, one for each kind of export, two for threads that compute results.
    connections: POOL + 8 + 1 + 2 + 2,
    secrets: ["CANVASS_S3_SECRET_ACCESS_KEY"],
    settings: [
      "CANVASS_FILE_MB",
      "CANVASS_FILES_MB",
      "CANVASS_UNANSWERED_FILES_MB",
      "CANVASS_FILES_DIR",
      "CANVASS_S3_BUCKET",
      "CANVASS_S3_ENDPOINT",
      "CANVASS_S3_REGION",
      "CANVASS_S3_ACCESS_KEY_ID",
    ],
  },
  distribution: { asks: ["survey", "response"] },
  webhook: { asks: ["token"], secrets: ["CANVASS_SECRETS_KEY"], settings: webhookSettings },
  delivery: {
    asks: ["webhook", "token"],
    secrets: ["CANVASS_SECRETS_KEY"],
    settings: [
      ...webhookSettings,
      "CANVASS_WEBHOOK_RETRY_SECONDS",
      "CANVASS_WEBHOOK_CONCURRENCY",
      "CANVASS_WEBHOOK_ENDPOINT_CONCURRENCY",
    ],
  },
};

/** In display order. */
export const PROCESSES: readonly ProcessDefinition[] = [
  gateway,
  ...serviceNames.map((name) => ({
    name,
    main: `services/${name}/src/main.ts`,
    migrations: `services/${name}/prisma/migrations`,
    connections: POOL,
    ...services[name],
  })),
];
