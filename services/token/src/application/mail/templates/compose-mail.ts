import { layOut, type MailContent, type MailOutline } from "./mail-content.ts";
import {
  webhookAdded,
  webhookAddressChanged,
  webhookDisabled,
  webhookPaused,
  webhookSecretReplaced,
} from "./webhook-mails.ts";

const templates = {
  "webhook.added": webhookAdded,
  "webhook.address_changed": webhookAddressChanged,
  "webhook.secret_replaced": webhookSecretReplaced,
  "webhook.paused": webhookPaused,
  "webhook.disabled": webhookDisabled,
} as const satisfies Record<string, (data: never) => MailOutline>;

export type MailTemplate = keyof typeof templates;
export type MailData<Template extends MailTemplate> = Parameters<(typeof templates)[Template]>[0];

export function composeMail<Template extends MailTemplate>(template: Template, data: MailData<Template>): MailContent {
  // TypeScript does not relate the template to its data.
  const write = templates[template] as (data: MailData<Template>) => MailOutline;
  return layOut(write(data));
}
