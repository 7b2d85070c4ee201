import { createTransport, type NodemailerError } from "nodemailer";
import { Readable } from "node:stream";
import { getCACertificates } from "node:tls";
import { oneLine } from "../../../domain/one-line.ts";
import type { SendOutcome } from "./send-outcome.ts";
import type { SmtpServer } from "./smtp-url.ts";

export interface SubmitOptions {
  extraCa?: string | undefined;
  budgetMs: number;
  stopping?: AbortSignal | undefined;
}

/** Aborting a mail that is under way risks sending it twice. */
const stopGraceMs = 3000;

/** Submits a message over a new connection. Never rejects. */
export async function submitMessage(
  server: SmtpServer,
  envelope: { from: string; to: string },
  message: Buffer,
  { extraCa, budgetMs, stopping }: SubmitOptions,
): Promise<SendOutcome> {
  let underWay = false;
  // Nodemailer reads the message only after the server has accepted the connection and the login.
  const raw = Readable.from(
    (function* () {
      underWay = true;
      yield message;
    })(),
  );
  const aborting = new AbortController();
  const abortIn = (ms: number, reason: string) => setTimeout(() => aborting.abort(new Error(reason)), ms);
  const timers = [abortIn(budgetMs, "took too long")];
  const stop = () => void timers.push(abortIn(underWay ? stopGraceMs : 0, "was aborted"));
  if (stopping?.aborted) stop();
  stopping?.addEventListener("abort", stop, { once: true });
  try {
    const transport = createTransport(transportOptions(server, extraCa, budgetMs));
    await transport.sendMail({ envelope, raw, signal: aborting.signal });
    return { state: "sent" };
  } catch (error) {
    return outcomeOf(aborting.signal.aborted ? aborting.signal.reason : error, underWay);
  } finally {
    stopping?.removeEventListener("abort", stop);
    for (const timer of timers) clearTimeout(timer);
  }
}

/** A server that refuses the sender's address refuses every mail. */
function outcomeOf(error: NodemailerError, underWay: boolean): SendOutcome {
  const reason = oneLine(error.message || String(error), 300);
  if (!underWay || error.command === "MAIL FROM") return { state: "unavailable", reason };
  return { state: error.permanent ? "refused" : "deferred", reason };
}

function transportOptions(server: SmtpServer, extraCa: string | undefined, budgetMs: number) {
  return {
    host: server.host,
    port: server.port,
    secure: server.tls === "implicit",
    requireTLS: server.tls === "required",
    ignoreTLS: server.tls === "off",
    tls: { minVersion: "TLSv1.2" as const, ...(extraCa ? { ca: [...getCACertificates("default"), extraCa] } : {}) },
    // Sends nothing to a server that offers no login.
    ...(server.auth && { auth: server.auth, forceAuth: true }),
    connectionTimeout: budgetMs,
    greetingTimeout: budgetMs,
    dnsTimeout: budgetMs,
    socketTimeout: budgetMs,
    socketCloseTimeout: 1000,
    maxResponseSize: 64 * 1024,
  };
}
