import { createTransport } from "nodemailer";
import { oneLine } from "../../../domain/one-line.ts";
import type { Mailbox } from "../../../domain/mail-address.ts";
import type { MailContent } from "../templates/mail-content.ts";

export interface OutgoingMail extends MailContent {
  /** The same in every attempt. Consists of letters, digits, dots and hyphens. */
  id: string;
  date: Date;
  to: Mailbox;
}

function messageIdOf(mail: Pick<OutgoingMail, "id">, from: Mailbox): string {
  return `<${mail.id}@${from.address.slice(from.address.indexOf("@") + 1)}>`;
}

const renderer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

/** Renders an RFC 5322 message. The same mail results in the same bytes. Reads no file and no URL. */
export async function renderMessage(mail: OutgoingMail, from: Mailbox): Promise<Buffer> {
  const mailbox = ({ name, address }: Mailbox) => ({ name: oneLine(name), address });
  const { message } = await renderer.sendMail({
    from: mailbox(from),
    to: mailbox(mail.to),
    subject: oneLine(mail.subject),
    text: normalizeLineEndings(mail.text),
    html: normalizeLineEndings(mail.html),
    date: mail.date,
    messageId: messageIdOf(mail, from),
    // Suppresses out-of-office replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    xMailer: false,
    baseBoundary: mail.id,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return message as Buffer;
}

/** Replaces CR: a message must not contain a CR without an LF (RFC 5322, section 2.3). */
function normalizeLineEndings(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
