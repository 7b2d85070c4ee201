import SMTPConnection, { type SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";
import type { NodemailerError } from "nodemailer";
import { getCACertificates } from "node:tls";
import { oneLine } from "./one-line.ts";
import type { SendOutcome } from "./send-outcome.ts";
import type { SmtpServer } from "./smtp-url.ts";

export interface HandOverOptions {
  /** PEM certificates trusted besides the usual ones. */
  extraCa?: string | undefined;
  /** Milliseconds for all of it. */
  budgetMs: number;
  /** Gives up: at once before the mail is under way, after `stopGraceMs` when it is. */
  stopping?: AbortSignal | undefined;
}

/** A mail that is under way when the process stops mostly arrives within this time; breaking it off risks a repetition. */
const STOP_GRACE_MS = 3000;
/** How long the server may take to say good-bye. */
const CLOSE_MS = 1000;

/** Hands one message to an SMTP server over a connection of its own. Never rejects. */
export async function handOver(
  server: SmtpServer,
  envelope: { from: string; to: string },
  message: Buffer,
  { extraCa, budgetMs, stopping }: HandOverOptions,
): Promise<SendOutcome> {
  const connection = new SMTPConnection(connectionOptions(server, extraCa, budgetMs));
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  connection.on("error", broken.reject);
  const timers = [setTimeout(() => broken.reject(new Error("took too long")), budgetMs)];
  let underWay = false;
  const stop = () => {
    timers.push(setTimeout(() => broken.reject(new Error("was broken off")), underWay ? STOP_GRACE_MS : 0));
  };
  if (stopping?.aborted) stop();
  stopping?.addEventListener("abort", stop, { once: true });
  /** Ends with the step, or with whatever breaks the connection. */
  const step = (begin: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))),
      broken.promise,
    ]);
  try {
    await step((done) => connection.connect(done));
    const { auth } = server;
    if (auth) await step((done) => connection.login({ credentials: auth }, done));
    underWay = true;
    await step((done) => connection.send({ from: envelope.from, to: [envelope.to] }, message, done));
    connection.quit();
    setTimeout(() => connection.close(), CLOSE_MS).unref();
    return { state: "sent" };
  } catch (error) {
    connection.close();
    return judge(error as NodemailerError, underWay);
  } finally {
    stopping?.removeEventListener("abort", stop);
    for (const timer of timers) clearTimeout(timer);
  }
}

/** A server that refuses our own address (unknown, or not logged in) would refuse it for every mail. */
function judge(error: NodemailerError, underWay: boolean): SendOutcome {
  const reason = oneLine(error.message || String(error), 300);
  if (!underWay || error.command === "MAIL FROM") return { state: "unavailable", reason };
  return { state: error.permanent ? "refused" : "deferred", reason };
}

function connectionOptions(server: SmtpServer, extraCa: string | undefined, budgetMs: number): SMTPConnectionOptions {
  return {
    host: server.host,
    port: server.port,
    secure: server.tls === "implicit",
    requireTLS: server.tls === "required",
    ignoreTLS: server.tls === "off",
    tls: { minVersion: "TLSv1.2", ...(extraCa ? { ca: [...getCACertificates("default"), extraCa] } : {}) },
    connectionTimeout: budgetMs,
    greetingTimeout: budgetMs,
    dnsTimeout: budgetMs,
    socketTimeout: budgetMs,
    socketCloseTimeout: CLOSE_MS,
    maxResponseSize: 64 * 1024,
  };
}
