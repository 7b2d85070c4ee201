import { simpleParser, type ParsedMail } from "mailparser";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { callbackify } from "node:util";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import type { OutgoingMail } from "../src/index.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  secure: boolean;
  user: string | undefined;
  raw: string;
  parsed: ParsedMail;
}

export interface TestSmtp extends AsyncDisposable {
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

/** A real SMTP server on loopback, open unless `onAuth` is given. */
export async function testSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: options.key ? [] : ["STARTTLS"],
    closeTimeout: 100,
    onData: callbackify(async (stream: Readable, session: SMTPServerSession) => {
      mails.push(await receive(stream, session));
    }),
    ...options,
  });
  // Tests drop connections.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A scripted server: `answer` gets each line and may end the connection. */
export async function scriptedSmtp(
  greeting: string,
  answer: (line: string, socket: Socket) => string | undefined,
): Promise<AsyncDisposable & { port: number; lines: string[] }> {
  const sockets = new Set<Socket>();
  const lines: string[] = [];
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (greeting !== "") socket.write(`${greeting}\r\n`);
    let rest = "";
    socket.on("data", (chunk) => {
      const received = (rest + chunk.toString("latin1")).split("\r\n");
      rest = received.pop()!;
      for (const line of received) {
        lines.push(line);
        const reply = answer(line, socket);
        if (reply !== undefined && socket.writable) socket.write(`${reply}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export const letter: OutgoingMail = {
  id: "0123456789abcdef.fedcba9876543210",
  date: new Date("2026-03-01T12:00:00.123Z"),
  to: { name: "Ada Lovelace", address: "ada@example.com" },
  subject: "Webhook added: Müller & Söhne",
  text: "Hello,\n\n.a line that begins with a dot\nFrom here on é ✓\n",
  html: "<!doctype html><p>Hello é ✓</p>\n",
};
