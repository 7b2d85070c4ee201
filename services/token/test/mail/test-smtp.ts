import { simpleParser, type ParsedMail } from "mailparser";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { callbackify } from "node:util";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  secure: boolean;
  user: string | undefined;
  raw: string;
  parsed: ParsedMail;
}

export interface TestSmtp extends AsyncDisposable {
  url: string;
  port: number;
  mails: ReceivedMail[];
}

async function receive(stream: Readable, session: SMTPServerSession): Promise<ReceivedMail> {
  const raw = Buffer.concat(await stream.toArray());
  const { mailFrom, rcptTo } = session.envelope;
  return {
    from: mailFrom ? mailFrom.address : "",
    to: rcptTo.map(({ address }) => address),
    secure: session.secure,
    user: session.user as string | undefined,
    raw: raw.toString("latin1"),
    parsed: await simpleParser(raw),
  };
}

export interface TestSmtpOptions extends SMTPServerOptions {
  /** 0: any free port. */
  port?: number;
  /** SMTP reply code by recipient. Default: 250. */
  answer?: (address: string) => number;
}

/** A real SMTP server on loopback. Requires no login unless `onAuth` is given. */
export async function testSmtp({ port = 0, answer = () => 250, ...options }: TestSmtpOptions = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: options.key ? [] : ["STARTTLS"],
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = answer(address);
      if (responseCode === 250) done();
      else done(Object.assign(new Error("no"), { responseCode }));
    },
    onData: callbackify(async (stream: Readable, session: SMTPServerSession) => {
      mails.push(await receive(stream, session));
    }),
    ...options,
  });
  // Tests drop connections.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.server.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    mails,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
