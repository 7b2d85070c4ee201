export { readWebhookConfig, type WebhookConfig } from "./config.ts";
export { startWebhookService } from "./service.ts";
