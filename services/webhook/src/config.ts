import { serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";
import { secretsKeyEnvironment, webhookEnvironment } from "@canvass/webhook-sender";

export const webhookSettings = serviceSettings("webhook", {
  ...webhookEnvironment,
  ...secretsKeyEnvironment,
});

export type WebhookConfig = ConfigOf<typeof webhookSettings>;

export const readWebhookConfig = webhookSettings.read;
