import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { composeMail, type MailTemplate } from "./templates/compose-mail.ts";
import { isDisableReason } from "./templates/webhook-mails.ts";
import type { MailContent } from "./templates/mail-content.ts";
import type { Event, NotificationRequested, WebhookRef } from "@canvass/proto/events";
import type { Recipient } from "./find-recipients.ts";

export interface WrittenMail extends MailContent {
  template: MailTemplate;
}

export function writeMail(event: Event, recipient: Recipient): WrittenMail {
  const { body, occurredAt } = event;
  if (body.case !== "notificationRequested" || !occurredAt) throw new Error("the event asks for no mail");
  return write(body.value, timestampDate(occurredAt), recipient);
}

function write(request: NotificationRequested, at: Date, recipient: Recipient): WrittenMail {
  const { personName, tokenName, notification } = request;
  const { case: kind, value } = notification;
  if (kind === undefined) throw new Error("the event tells of something that this version does not know");
  const facts = { ...webhookFacts(value.webhook), ...recipientFacts(recipient), at };
  const changed = { ...facts, personName, tokenName };
  switch (kind) {
    case "webhookAdded":
      return as("webhook.added", composeMail("webhook.added", changed));
    case "webhookAddressChanged": {
      const { previousHost } = value;
      return as("webhook.address_changed", composeMail("webhook.address_changed", { ...changed, previousHost }));
    }
    case "webhookSecretReplaced": {
      const previousUntil = dateOf(value.previousUntil) ?? at;
      return as("webhook.secret_replaced", composeMail("webhook.secret_replaced", { ...changed, previousUntil }));
    }
    case "webhookDisabled": {
      const { reason } = value;
      if (!isDisableReason(reason)) throw new Error("the event gives a reason that this version does not know");
      return as("webhook.disabled", composeMail("webhook.disabled", { ...facts, reason }));
    }
    case "webhookPaused": {
      const { failedAttempts } = value;
      const lastSuccessAt = dateOf(value.lastSuccessAt);
      return as("webhook.paused", composeMail("webhook.paused", { ...facts, failedAttempts, lastSuccessAt }));
    }
  }
}

const as = (template: MailTemplate, content: MailContent): WrittenMail => ({ template, ...content });

const dateOf = (time: Timestamp | undefined): Date | undefined => time && timestampDate(time);

function webhookFacts(webhook: WebhookRef | undefined) {
  return { webhookId: webhook?.subscriptionId ?? "", webhookName: webhook?.name ?? "", host: webhook?.host ?? "" };
}

function recipientFacts({ name: recipientName, workspaceName, timeZone }: Recipient) {
  return { recipientName, workspaceName, timeZone };
}
