export { createAddressPolicy, type AddressPolicy, type AddressPolicyOptions } from "./address-policy.ts";
export type { Destination } from "./destinations.ts";
export { resolveHost, type ResolveHost } from "./resolve-host.ts";
export { readSenderSettings, webhookEnvironment } from "./sender-settings.ts";
export {
  createWebhookSender,
  type Outcome,
  type SendResult,
  type WebhookMessage,
  type WebhookSender,
  type WebhookSenderOptions,
} from "./sender.ts";
export { signatureHeader, signedContent } from "./signature.ts";
export { parseWebhookUrl, webhookUrlKey, type ParsedWebhookUrl } from "./webhook-url.ts";
