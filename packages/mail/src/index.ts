export { mailEnvironment, mailRule, openMailer } from "./mail-settings.ts";
export { createMailer, type Mailer, type MailerOptions } from "./mailer.ts";
export { parseMailbox, type Mailbox } from "./mail-address.ts";
export { messageIdOf, type OutgoingMail } from "./render-message.ts";
export type { SendOutcome } from "./send-outcome.ts";
export { composeMail, type MailData, type MailTemplate } from "./templates/compose-mail.ts";
export type { MailContent } from "./templates/mail-content.ts";
export { isDisableReason, type DisableReason } from "./templates/webhook-mails.ts";
