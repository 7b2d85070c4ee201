import { tlsRule } from "@canvass/rpc/tls-files";
import { defineSettings, processEnvironment, type ConfigOf } from "@canvass/telemetry";
import { Type } from "typebox";
import { limitedOperations, overridesPattern } from "./event-limits.ts";
import { isProxyList } from "./client-address/trusted-proxies.ts";

const serviceUrl = (name: string) =>
  Type.String({ pattern: "^https?://", description: `address of the ${name} service's RPCs` });
const perMinute = (calls: number, what: string) =>
  Type.Integer({ minimum: 1, default: calls, description: `${what} per minute` });

const gatewayEnvironment = Type.Object({
  CANVASS_HOST: Type.String({ default: "0.0.0.0", description: "address the HTTP server listens on" }),
  CANVASS_PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 8080, description: "port of the HTTP server" }),
  CANVASS_PUBLIC_URL: Type.Refine(
    Type.String({
      pattern: "^https?://[^/?#@\\\\\\s]+(/[^?#\\\\\\s]*)?$",
      default: "http://localhost:8080",
      description: "public URL of this gateway: a host, and perhaps a port and a path",
    }),
    (url) => URL.canParse(url),
  ),
  ...processEnvironment,
  CANVASS_TOKEN_URL: serviceUrl("token"),
  CANVASS_SURVEY_URL: serviceUrl("survey"),
  CANVASS_RESPONSE_URL: serviceUrl("response"),
  CANVASS_DISTRIBUTION_URL: serviceUrl("distribution"),
  CANVASS_WEBHOOK_URL: serviceUrl("webhook"),
  CANVASS_DELIVERY_URL: serviceUrl("delivery"),
  NATS_URL: Type.Optional(
    Type.String({ description: "NATS server, which notifies of revoked tokens and changed plans and roles" }),
  ),
  CANVASS_TRUSTED_PROXIES: Type.Optional(
    Type.Refine(
      Type.String({
        description: "comma-separated addresses or CIDRs whose X-Forwarded-* headers count",
        examples: ["10.0.0.0/8"],
      }),
      isProxyList,
    ),
  ),
  CANVASS_COUNTRY_HEADER: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9-]{1,64}$",
      description: "header in which a trusted proxy sends the client's country",
      examples: ["CF-IPCountry"],
    }),
  ),
  CANVASS_COUNTRY_DATABASE: Type.Optional(
    Type.String({
      minLength: 1,
      description: "MMDB file that maps IP addresses to countries, for clients without that header",
      examples: ["/data/countries.mmdb"],
    }),
  ),
  CANVASS_REQUEST_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    default: 10_000,
    description: "deadline of a request, in milliseconds; it is passed on to the services",
  }),
  CANVASS_READER_IDLE_MS: Type.Integer({
    minimum: 100,
    default: 60_000,
    description: "how long the reader of a long response may pause, in milliseconds",
  }),
  CANVASS_READER_BYTES_PER_SECOND: Type.Integer({
    minimum: 1,
    default: 8_192,
    description: "average speed at which the reader of a long response must read, in bytes per second",
  }),
  CANVASS_REQUEST_LOG: Type.Enum(["refused", "all", "off"], {
    default: "refused",
    description: "requests that are logged: refused (also failed ones and those slower than a second), all or off",
  }),
  CANVASS_RATE_LIMITS: Type.Enum(["on", "off"], { default: "on", description: "on, or off (no rate limits)" }),
  CANVASS_RATE_LIMIT_READS: perMinute(600, "reads of a token"),
  CANVASS_RATE_LIMIT_WRITES: perMinute(240, "writes of a token"),
  CANVASS_RATE_LIMIT_SUBMISSIONS: perMinute(1200, "submissions of answers of a token"),
  CANVASS_RATE_LIMIT_LINKS: perMinute(1200, "times that a client address opens a link or starts by it"),
  CANVASS_RATE_LIMIT_RESPONDENTS: perMinute(120, "calls of a respondent's session"),
  CANVASS_RATE_LIMIT_UPLOADS: perMinute(60, "files that a respondent's session uploads"),
  CANVASS_RATE_LIMIT_DOCUMENTS: perMinute(60, "reads of documents of a client address"),
  CANVASS_RATE_LIMIT_UNAUTHENTICATED: perMinute(600, "failed authentications of a client address"),
  CANVASS_RATE_LIMIT_OVERRIDES: Type.Optional(
    Type.String({
      pattern: overridesPattern,
      description: `calls per minute and token, each once of ${limitedOperations.join(", ")}`,
      examples: ["createSubscription=60,listEvents=600"],
    }),
  ),
  CANVASS_RATE_LIMIT_DATABASE_URL: Type.Optional(
    Type.String({ pattern: "^postgres(ql)?://", description: "PostgreSQL in which all gateways share their counts" }),
  ),
  CANVASS_CORS_ORIGINS: Type.Optional(
    Type.String({
      pattern: "^https?://[^/,\\s]+(,\\s*https?://[^/,\\s]+)*$",
      description: "comma-separated origins whose pages may call the API from a browser",
      examples: ["https://app.example.com"],
    }),
  ),
});

export const gatewaySettings = defineSettings(gatewayEnvironment, [tlsRule]);

export type GatewayConfig = ConfigOf<typeof gatewaySettings>;

export const readGatewayConfig = gatewaySettings.read;
