import { simpleParser } from "mailparser";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@canvass/telemetry";
import { expect, test } from "vitest";
import { createMailer } from "../../src/application/mail/sending/mailer.ts";
import { openMailer } from "../../src/application/mail/sending/mail-settings.ts";
import { testSmtp } from "./test-smtp.ts";
import { letter } from "./letter.ts";

const from = "Canvass <noreply@localhost>";

async function scratch(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "canvass-mail-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test("a mail becomes one file that a mail program reads, readable by its owner only", async () => {
  await using directory = await scratch();
  const mailDir = join(directory.path, "not", "there");
  const mailer = createMailer({ mailDir, from });
  expect(await mailer.send(letter)).toEqual({ state: "sent" });
  const [name, ...others] = await readdir(mailDir);
  expect(others).toEqual([]);
  expect(name).toBe("20260301T120000123Z-0123456789abcdef.fedcba9876543210.eml");
  const parsed = await simpleParser(await readFile(join(mailDir, name!)));
  expect(parsed).toMatchObject({
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    messageId: `<${letter.id}@localhost>`,
    to: { value: [letter.to] },
  });
  expect((await stat(join(mailDir, name!))).mode & 0o777).toBe(0o600);
});

test("a repetition replaces the file, others sort by time", async () => {
  await using directory = await scratch();
  const mailer = createMailer({ mailDir: directory.path, from });
  const times = ["2026-03-01T12:00:00Z", "2026-02-28T23:59:59.999Z", "2026-03-01T12:00:00.001Z"];
  await Promise.all([...times, ...times].map((time) => mailer.send({ ...letter, date: new Date(time) })));
  const dates = await Promise.all(
    (await readdir(directory.path)).sort().map((name) => readFile(join(directory.path, name), "utf8")),
  );
  expect(dates.map((raw) => /^Date: (.*)\r$/m.exec(raw)![1])).toEqual([
    "Sat, 28 Feb 2026 23:59:59 +0000",
    "Sun, 01 Mar 2026 12:00:00 +0000",
    "Sun, 01 Mar 2026 12:00:00 +0000",
  ]);
});

test("a directory that cannot be written is unavailable, and nothing half-written stays", async () => {
  await using directory = await scratch();
  const file = join(directory.path, "file");
  await writeFile(file, "");
  expect(await createMailer({ mailDir: join(file, "x"), from }).send(letter)).toMatchObject({ state: "unavailable" });
  // A directory stands in the file's place.
  const mailer = createMailer({ mailDir: directory.path, from });
  const inTheWay = join(directory.path, "20260301T120000123Z-0123456789abcdef.fedcba9876543210.eml", "x");
  await createMailer({ mailDir: inTheWay, from }).send(letter);
  expect(await mailer.send(letter)).toMatchObject({ state: "unavailable" });
  expect((await readdir(directory.path)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("the environment decides: a server before a directory, else none, with a warning", async () => {
  await using directory = await scratch();
  await using server = await testSmtp();
  const warnings: string[] = [];
  const log = createLogger({ service: "test", destination: { write: (line) => warnings.push(line) } });
  const rest = { CANVASS_MAIL_FROM: from };
  const both = { ...rest, CANVASS_MAIL_DIR: directory.path, CANVASS_SMTP_URL: `smtp://127.0.0.1:${server.port}` };
  expect(await openMailer(both, log)!.send(letter)).toEqual({ state: "sent" });
  expect([server.mails.length, await readdir(directory.path)]).toEqual([1, []]);
  expect(await openMailer({ ...both, CANVASS_SMTP_URL: "" }, log)!.send(letter)).toEqual({ state: "sent" });
  expect([server.mails.length, await readdir(directory.path)]).toEqual([1, [expect.stringMatching(/\.eml$/)]]);
  expect(warnings).toEqual([]);
  expect(openMailer(rest, log)).toBeUndefined();
  expect(warnings).toHaveLength(1);
  const faulty = (config: object) => () => openMailer({ ...rest, ...config }, log);
  expect(faulty({ CANVASS_SMTP_URL: "http://u:sesame@x" })).toThrow(/^CANVASS_SMTP_URL must/);
  expect(faulty({ CANVASS_SMTP_URL: "http://u:sesame@x" })).not.toThrow(/sesame/);
  expect(faulty({ CANVASS_MAIL_DIR: "/nowhere", CANVASS_MAIL_FROM: "nobody" })).toThrow(/^CANVASS_MAIL_FROM must/);
  expect(faulty({ CANVASS_SMTP_URL: "smtp://x", CANVASS_SMTP_CA_FILE: "/nowhere/ca.pem" })).toThrow(
    "CANVASS_SMTP_CA_FILE",
  );
});
