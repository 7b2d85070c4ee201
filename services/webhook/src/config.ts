import { consumerEnvironment, shellEnvironment } from "@canvass/service";
import { readConfig } from "@canvass/telemetry";
import { webhookEnvironment } from "@canvass/webhook-sender";
import { Type, type Static } from "typebox";

const KEY = "[A-Za-z0-9+/]{43}=";

const schema = Type.Object({
  ...shellEnvironment,
  ...webhookEnvironment,
  ...consumerEnvironment("webhook"),
  CANVASS_SECRETS_KEY: Type.String({
    pattern: `^${KEY}(?:\\s*,\\s*${KEY})*$`,
    description: "32 bytes in base64 that encrypt signing secrets; several, newest first, while one is replaced",
  }),
  CANVASS_OPERATOR_KEY: Type.Optional(
    Type.String({
      minLength: 32,
      description: "secret of the operator command; without it the key of secrets can not be rotated",
    }),
  ),
});

export type WebhookConfig = Static<typeof schema>;

export function readWebhookConfig(environment: NodeJS.ProcessEnv): WebhookConfig {
  return readConfig(schema, environment);
}
