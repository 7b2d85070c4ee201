export { createAddressPolicy } from "./address-policy.ts";
export type { FailureReason, Outcome } from "./outcome.ts";
export type { ResolveHost } from "./resolve-host.ts";
export { createSecretBox, newSecretsKey, sealingKeyId, type SecretBox, type SecretOwner } from "./secret-box.ts";
export { secretsKeyEnvironment } from "./secrets-key.ts";
export { readSenderSettings, webhookEnvironment } from "./sender-settings.ts";
export {
  createWebhookSender,
  signedContent,
  type SendResult,
  type WebhookMessage,
  type WebhookSender,
  type WebhookSenderOptions,
} from "./sender.ts";
export { webhookUrlKey } from "./webhook-url.ts";
