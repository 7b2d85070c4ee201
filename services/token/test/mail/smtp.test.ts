import { testCertificates } from "@canvass/testing/certificates";
import { afterEach, expect, test, vi } from "vitest";
import { createMailer, type Mailer } from "../../src/application/mail/sending/mailer.ts";
import { testSmtp } from "./test-smtp.ts";
import { letter } from "./letter.ts";
import { scriptedSmtp } from "./scripted-smtp.ts";

const from = "Canvass <noreply@canvass.example>";
const mailerTo = (
  port: number,
  more: { budgetMs?: number; extraCa?: string; scheme?: string; query?: string } = {},
) => {
  const { scheme = "smtp", query = "", ...options } = more;
  return createMailer({ smtpUrl: `${scheme}://127.0.0.1:${port}${query}`, from, ...options });
};

afterEach(() => vi.useRealTimers());

/** Time passes only when the test says so. */
const holdTime = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

test("a mail arrives unchanged", async () => {
  await using server = await testSmtp();
  expect(await mailerTo(server.port).send(letter)).toEqual({ state: "sent" });
  const [mail] = server.mails;
  expect(mail).toMatchObject({ from: "noreply@canvass.example", to: ["ada@example.com"], secure: false });
  expect(mail!.parsed).toMatchObject({
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    date: new Date("2026-03-01T12:00:00Z"),
    messageId: `<${letter.id}@canvass.example>`,
    from: { value: [{ name: "Canvass", address: "noreply@canvass.example" }] },
    to: { value: [letter.to] },
  });
  expect(mail!.parsed.headers.get("auto-submitted")).toBe("auto-generated");
  expect(mail!.parsed.headers.has("x-mailer")).toBe(false);
});

test("a repetition is the same mail, byte for byte", async () => {
  await using server = await testSmtp();
  const mailer = mailerTo(server.port);
  await mailer.send(letter);
  await mailer.send(letter);
  expect(server.mails[1]!.raw).toBe(server.mails[0]!.raw);
});

test("a reply of the 4xx class defers the mail, one of the 5xx class refuses it, at every step", async () => {
  const refusal = (responseCode: number) => Object.assign(new Error("not now\u0000"), { responseCode });
  for (const [code, state] of [
    [451, "deferred"],
    [452, "deferred"],
    [550, "refused"],
    [554, "refused"],
  ] as const) {
    await using atRecipient = await testSmtp({ onRcptTo: (_to, _session, done) => done(refusal(code)) });
    const evaluated = await mailerTo(atRecipient.port).send(letter);
    expect(evaluated).toMatchObject({ state, reason: expect.stringContaining(String(code)) });
    await using atData = await testSmtp({
      onData: (stream, _session, done) => {
        stream.resume();
        stream.on("end", () => done(refusal(code)));
      },
    });
    expect(await mailerTo(atData.port).send(letter)).toMatchObject({ state });
  }
});

test("a server that takes nothing from our address is unavailable for all, whatever its code", async () => {
  const answer = Object.assign(new Error("authentication required"), { responseCode: 530 });
  await using server = await testSmtp({ onMailFrom: (_from, _session, done) => done(answer) });
  expect(await mailerTo(server.port).send(letter)).toMatchObject({ state: "unavailable" });
});

test("a connection that breaks in the middle of the message defers the mail", async () => {
  let inData = false;
  await using server = await scriptedSmtp("220 test", (line, socket) => {
    if (inData) socket.destroy();
    if (line === "DATA") inData = true;
    return line === "DATA" ? "354 go on" : "250 fine";
  });
  expect(await mailerTo(server.port).send(letter)).toMatchObject({ state: "deferred" });
  expect(server.lines).toContain("DATA");
});

test("a server that never greets is unavailable when the time that an attempt may take is over", async () => {
  await using server = await scriptedSmtp("", () => undefined);
  holdTime();
  const sending = mailerTo(server.port, { budgetMs: 30_000 }).send(letter);
  await expect.poll(() => server.connections, { interval: 0 }).toBe(1);
  vi.advanceTimersByTime(30_000);
  expect(await sending).toMatchObject({ state: "unavailable" });
});

test.each([
  ["says it is busy", "421 busy"],
  ["refuses everybody", "554 no"],
  ["speaks something else", "HTTP/1.1 400 Bad Request"],
])("a server that %s is unavailable at once", async (_what, greeting) => {
  await using server = await scriptedSmtp(greeting, () => undefined);
  holdTime();
  expect(await mailerTo(server.port).send(letter)).toMatchObject({ state: "unavailable" });
});

test("a server that drips its answers does not hold an attempt longer than it may take", async () => {
  await using server = await scriptedSmtp("220 test", (line, socket) => {
    if (!line.startsWith("MAIL")) return "250 fine";
    const timer = setInterval(() => socket.write("250-still\r\n"), 20);
    socket.on("close", () => clearInterval(timer));
  });
  holdTime();
  const sending = mailerTo(server.port, { budgetMs: 30_000 }).send(letter);
  await expect.poll(() => server.lines, { interval: 0 }).toContainEqual(expect.stringMatching(/^MAIL/));
  vi.advanceTimersByTime(30_000);
  expect(await sending).toMatchObject({ state: "deferred" });
});

test("a port where nothing listens, and a host name that does not exist, are unavailable", async () => {
  const server = await testSmtp();
  await server[Symbol.asyncDispose]();
  expect(await mailerTo(server.port).send(letter)).toMatchObject({ state: "unavailable" });
  const nowhere = createMailer({ smtpUrl: "smtp://nowhere.invalid", from, budgetMs: 5000 });
  expect(await nowhere.send(letter)).toMatchObject({ state: "unavailable" });
});

test("a server with an untrusted certificate gets neither mail nor password", async () => {
  const { ca, key, cert } = await testCertificates(["127.0.0.1"]);
  const onAuth = (_auth: unknown, _session: unknown, done: (error: null, answer: { user: string }) => void) =>
    done(null, { user: "u" });
  await using implicit = await testSmtp({ key, cert, secure: true, onAuth });
  await using upgraded = await testSmtp({ key, cert, onAuth });
  for (const [server, scheme] of [
    [implicit, "smtps"],
    [upgraded, "smtp"],
  ] as const) {
    const refused = await mailerTo(server.port, { scheme }).send(letter);
    expect(refused).toMatchObject({ state: "unavailable", reason: expect.stringMatching(/certificate/i) });
    expect(server.mails).toEqual([]);
    const url = `${scheme}://u:sesame@127.0.0.1:${server.port}?tls=required`;
    const trusting = createMailer({ smtpUrl: scheme === "smtps" ? url.replace(/\?.*/, "") : url, from, extraCa: ca });
    expect(await trusting.send(letter)).toEqual({ state: "sent" });
    expect(server.mails).toMatchObject([{ secure: true, user: "u" }]);
  }
  const { cert: otherName, key: otherKey, ca: sameKind } = await testCertificates(["mail.example.com"]);
  await using misnamed = await testSmtp({ key: otherKey, cert: otherName, secure: true });
  const evaluated = await mailerTo(misnamed.port, { scheme: "smtps", extraCa: sameKind }).send(letter);
  expect(evaluated).toMatchObject({ state: "unavailable" });
});

test("where TLS is required, a server that does not offer it is not spoken to", async () => {
  await using server = await testSmtp();
  const evaluated = await mailerTo(server.port, { query: "?tls=required" }).send(letter);
  expect(evaluated).toMatchObject({ state: "unavailable" });
  expect(server.mails).toEqual([]);
});

test("a server that offers no login gets no mail of a sender that has one", async () => {
  await using server = await testSmtp({ disabledCommands: ["STARTTLS", "AUTH"] });
  const mailer = createMailer({ smtpUrl: `smtp://u:sesame@127.0.0.1:${server.port}`, from });
  expect(await mailer.send(letter)).toMatchObject({ state: "unavailable" });
  expect(server.mails).toEqual([]);
});

test("a server that refuses the password is unavailable, and the reason does not contain the password", async () => {
  await using server = await testSmtp({
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error("no"), { responseCode: 535 })),
  });
  const evaluated = await createMailer({ smtpUrl: `smtp://u:sesame@127.0.0.1:${server.port}`, from }).send(letter);
  expect(evaluated).toMatchObject({ state: "unavailable" });
  expect(JSON.stringify(evaluated)).not.toMatch(/sesame|c2VzYW1l/);
});

test("a stopping process leaves mails that are not under way at once, and lets the others arrive", async () => {
  const stopping = new AbortController();
  const underWay = Promise.withResolvers<() => void>();
  await using slow = await testSmtp({
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => {
        stopping.abort();
        underWay.resolve(done);
      });
    },
  });
  await using silent = await scriptedSmtp("", () => undefined);
  const waiting = mailerTo(silent.port).send(letter, stopping.signal);
  const sending = mailerTo(slow.port).send(letter, stopping.signal);
  expect(await waiting).toMatchObject({ state: "unavailable" });
  const finish = await underWay.promise;
  finish();
  expect(await sending).toEqual({ state: "sent" });
  const late: Mailer = mailerTo(slow.port);
  expect(await late.send(letter, stopping.signal)).toMatchObject({ state: "unavailable" });
});
