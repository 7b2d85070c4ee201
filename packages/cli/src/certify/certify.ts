import { breakConnection } from "./break-connection.ts";
import { cases } from "./cases/index.ts";
import type { CertificationCase, Probe, Sent } from "./certification-case.ts";
import { exampleEvent } from "../webhooks/example-event.ts";
import { sendAndReceive, type Answer } from "./exchange.ts";
import { signMessage } from "../webhooks/sign-message.ts";

export interface CaseResult {
  name: string;
  checks: string;
  contract: string;
  result: "passed" | "finding" | "skipped";
  /**
   * Status of the response with the finding, otherwise of the last one, or why there is none. Null if nothing was sent.
   */
  answer: string | null;
  /** The start of its body. */
  text: string;
  /** Milliseconds until the slowest status line. */
  ms: number;
  /** What to change, as one sentence; why nothing was sent, if it was skipped; else null. */
  advice: string | null;
}

export interface Certificate {
  /** Host of the receiver. The rest of its URL may hold a key. */
  receiver: string;
  passed: number;
  findings: number;
  skipped: number;
  cases: CaseResult[];
}

export interface Certification {
  url: URL;
  /** `whsec_...` */
  secret: string;
  /** Starts the time for one answer. Default: 10 seconds (contract 8.8). */
  deadline?: () => AbortSignal;
  /**
   * Events at once. Default: 75, those under way to a receiver that answers quickly
   * (gateway/docs/receiving-webhooks.md).
   */
  burst?: number;
  onCase?: (name: string) => void;
}

/** Tests a receiver, one case after the other. Rejects only if the secret is malformed. */
export async function certify(certification: Certification): Promise<Certificate> {
  const probe = createProbe(certification);
  const results: CaseResult[] = [];
  for (const each of cases) {
    const needed = results.find(({ name, result }) => name === each.needs && result !== "passed");
    certification.onCase?.(each.name);
    results.push(needed ? skip(each, needed.name) : judge(each, await each.send(probe)));
  }
  const count = (wanted: CaseResult["result"]) => results.filter(({ result }) => result === wanted).length;
  const { host } = certification.url;
  return {
    receiver: host,
    passed: count("passed"),
    findings: count("finding"),
    skipped: count("skipped"),
    cases: results,
  };
}

const tenSeconds = () => AbortSignal.timeout(10_000);

function createProbe({ url, secret, deadline = tenSeconds, burst = 75 }: Certification): Probe {
  const receiver = { url, deadline };
  let first: Promise<Answer> | undefined;
  return {
    secret,
    burst,
    send: (message, write) => sendAndReceive(receiver, message, write),
    breakConnection: (message, how) => breakConnection(receiver, message, how),
    first: () => (first ??= sendAndReceive(receiver, signMessage(exampleEvent(), { secrets: [secret] }))),
  };
}

function skip({ name, checks, contract }: CertificationCase, needed: string): CaseResult {
  const advice = `Not sent, because ${needed} did not pass.`;
  return { name, checks, contract, result: "skipped", answer: null, text: "", ms: 0, advice };
}

function judge({ name, checks, contract, advice, judge }: CertificationCase, sent: readonly Sent[]): CaseResult {
  const sentence = `${advice.slice(0, -1)} (contract ${contract}).`;
  const judged = sent.map((each) => ({ ...each, finding: judge(each.answer, sentence) }));
  const { answer, of, finding } = judged.find(({ finding }) => finding !== undefined) ?? judged.at(-1)!;
  const answered = String(answer.status ?? answer.failure);
  return {
    name,
    checks,
    contract,
    result: finding === undefined ? "passed" : "finding",
    answer: of !== undefined && finding !== undefined ? `${answered} (${of})` : answered,
    text: answer.text,
    ms: Math.max(...sent.map(({ answer }) => answer.ms)),
    advice: finding ?? null,
  };
}
