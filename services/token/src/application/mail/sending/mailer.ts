import { emlName, writeEml } from "./eml-files.ts";
import { isMailAddress, parseMailbox } from "../../../domain/mail-address.ts";
import { renderMessage, type OutgoingMail } from "./render-message.ts";
import type { SendOutcome } from "./send-outcome.ts";
import { parseSmtpUrl } from "./smtp-url.ts";
import { submitMessage } from "./submit-message.ts";

export type MailerOptions = {
  from: string;
} & (
  | {
      smtpUrl: string;
      /** PEM certificates, trusted in addition to the default ones. */
      extraCa?: string | undefined;
      budgetMs?: number;
    }
  | { mailDir: string }
);

export interface Mailer {
  /** Makes one attempt; never rejects. An abort before the mail is under way results in `unavailable`. */
  send(mail: OutgoingMail, stopping?: AbortSignal): Promise<SendOutcome>;
}

/** Errors name the invalid option but not its value, which may contain a password. */
export function createMailer(options: MailerOptions): Mailer {
  const from = parseMailbox(options.from);
  if (!from) throw new Error("from must be an e-mail address, or a name with one in angle brackets");
  const deliver = "smtpUrl" in options ? overSmtp(options, from.address) : intoFiles(options.mailDir);
  return {
    async send(mail, stopping) {
      if (!/^[a-zA-Z0-9.-]+$/.test(mail.id)) return { state: "refused", reason: "the id of the mail is malformed" };
      if (!isMailAddress(mail.to.address)) return { state: "refused", reason: "mail cannot be sent to that address" };
      return deliver(mail, await renderMessage(mail, from), stopping);
    },
  };
}

type Deliver = (mail: OutgoingMail, message: Buffer, stopping?: AbortSignal) => Promise<SendOutcome>;

function overSmtp(options: Extract<MailerOptions, { smtpUrl: string }>, from: string): Deliver {
  const { extraCa, budgetMs = 30_000 } = options;
  const server = readUrl(options.smtpUrl);
  return (mail, message, stopping) =>
    submitMessage(server, { from, to: mail.to.address }, message, { extraCa, budgetMs, stopping });
}

function intoFiles(directory: string): Deliver {
  return (mail, message) => writeEml(directory, emlName(mail), message);
}

function readUrl(text: string): ReturnType<typeof parseSmtpUrl> {
  try {
    return parseSmtpUrl(text);
  } catch (cause) {
    throw new Error(`smtpUrl ${(cause as Error).message}`, { cause });
  }
}
