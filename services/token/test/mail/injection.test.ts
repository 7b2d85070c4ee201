import { anyCharacter } from "@canvass/testing/any-character";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { createMailer } from "../../src/application/mail/sending/mailer.ts";
import { parseMailbox } from "../../src/domain/mail-address.ts";
import { renderMessage } from "../../src/application/mail/sending/render-message.ts";
import { testSmtp } from "./test-smtp.ts";
import { letter } from "./letter.ts";

const from = parseMailbox("Canvass <noreply@canvass.example>")!;

const server = await sharedByFile(testSmtp());

const headers = [
  "auto-submitted",
  "content-type",
  "date",
  "from",
  "message-id",
  "mime-version",
  "subject",
  "to",
  "x-auto-response-suppress",
];

test("for any names, subject and texts, a message has its own headers and one recipient", async () => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.constantFrom(
      "x\r\nBcc: evil@example.com",
      "x\nTo: evil@example.com\n\nbody",
      "x\r\n\r\n.\r\nMAIL FROM:<a@b>",
      '"><evil@example.com>, Evil',
      "=?utf-8?Q?x=0D=0ABcc:_evil@example.com?=",
      "evil@example.com, ",
      "\u2028Bcc: x@y",
    ),
  );
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (name, subject, text) => {
      const mail = { ...letter, to: { name, address: "ada@example.com" }, subject, text, html: text };
      const raw = await renderMessage(mail, { ...from, name: subject });
      expect(raw.toString("latin1")).not.toMatch(/(?<!\r)\n|\r(?!\n)/);
      const parsed = await simpleParser(raw);
      expect([...parsed.headers.keys()].filter((key) => key !== "subject").sort()).toEqual(
        headers.filter((key) => key !== "subject"),
      );
      expect(parsed.to).toMatchObject({ value: [{ address: "ada@example.com" }] });
      expect(parsed.from).toMatchObject({ value: [{ address: from.address }] });
    }),
    { numRuns: 300 },
  );
});

test("a mail over SMTP goes to its one recipient, though a name or a text ends lines and messages", async () => {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from: "noreply@canvass.example" });
  const hostile = "x\r\n.\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<victim@example.com>\r\nDATA\r\n";
  const mail = { ...letter, to: { name: hostile, address: "ada@example.com" }, subject: hostile, text: hostile };
  expect(await mailer.send(mail)).toEqual({ state: "sent" });
  expect(server.mails.map(({ to }) => to)).toEqual([["ada@example.com"]]);
  // The parser ends every text with a line break.
  expect(server.mails[0]!.parsed.text!.trimEnd()).toBe(hostile.replaceAll("\r\n", "\n").trimEnd());
});

test.each([
  "ada@example.com, victim@example.com",
  "ada@example.com>\r\nRCPT TO:<victim@example.com",
  '"victim@example.com x"@example.com',
  "x:victim@example.com;",
  "",
])("an address that is not one, or more than one, is refused without asking the server: %j", async (address) => {
  const mailer = createMailer({ smtpUrl: "smtp://127.0.0.1:9", from: "noreply@canvass.example" });
  expect(await mailer.send({ ...letter, to: { name: "", address } })).toMatchObject({ state: "refused" });
});

test.each(["../x", "a/b", "", "x\r\ny", "a>b", "a b"])("an id that is not one is refused: %j", async (id) => {
  const mailer = createMailer({ smtpUrl: "smtp://127.0.0.1:9", from: "noreply@canvass.example" });
  expect(await mailer.send({ ...letter, id })).toMatchObject({ state: "refused" });
});
