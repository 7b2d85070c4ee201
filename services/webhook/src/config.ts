import { serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";
import { webhookEnvironment } from "@canvass/webhook-sender";
import { Type } from "typebox";

const KEY = "[A-Za-z0-9+/]{43}=";

export const webhookSettings = serviceSettings("webhook", {
  ...webhookEnvironment,
  CANVASS_SECRETS_KEY: Type.String({
    pattern: `^${KEY}(?:\\s*,\\s*${KEY})*$`,
    description: "32 bytes in base64 that encrypt signing secrets; several, newest first, while one is replaced",
  }),
});

export type WebhookConfig = ConfigOf<typeof webhookSettings>;

export const readWebhookConfig = webhookSettings.read;
