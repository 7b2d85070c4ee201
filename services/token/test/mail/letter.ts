import type { OutgoingMail } from "../../src/application/mail/sending/render-message.ts";

export const letter: OutgoingMail = {
  id: "0123456789abcdef.fedcba9876543210",
  date: new Date("2026-03-01T12:00:00.123Z"),
  to: { name: "Ada Lovelace", address: "ada@example.com" },
  subject: "Webhook added: Müller & Söhne",
  text: "Hello,\n\n.a line that begins with a dot\nFrom here on é ✓\n",
  html: "<!doctype html><p>Hello é ✓</p>\n",
};
