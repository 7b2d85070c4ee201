export { readWebhookConfig, type WebhookConfig } from "./config.ts";
export { startWebhookService, type WebhookOverrides, type WebhookService } from "./service.ts";
