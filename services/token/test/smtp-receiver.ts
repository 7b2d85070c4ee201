import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  to: string;
  messageId: string;
  raw: string;
}

export interface SmtpReceiver extends AsyncDisposable {
  url: string;
  port: number;
  mails: ReceivedMail[];
}

export interface SmtpReceiverOptions {
  /** 0: any free port. */
  port?: number;
  /** SMTP reply code by recipient. Default: 250. */
  answer?: (address: string) => number;
}

/** A real SMTP server on loopback that keeps received mails. */
export async function startSmtpReceiver(options: SmtpReceiverOptions = {}): Promise<SmtpReceiver> {
  const { port = 0, answer = () => 250 } = options;
  const mails: ReceivedMail[] = [];
  const onRcptTo: SMTPServerOptions["onRcptTo"] = ({ address }, _session, done) => {
    const responseCode = answer(address);
    if (responseCode === 250) done();
    else done(Object.assign(new Error("no"), { responseCode }));
  };
  const onData: SMTPServerOptions["onData"] = (stream, session, done) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const raw = Buffer.concat(chunks).toString("utf8");
      const messageId = /^Message-ID: (.*)\r$/im.exec(raw)?.[1] ?? "";
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), messageId, raw });
      done();
    });
  };
  const server = new SMTPServer({
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    closeTimeout: 100,
    onRcptTo,
    onData,
  });
  // Stopped workers drop connections.
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
