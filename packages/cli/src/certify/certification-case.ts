import type { CloseMode } from "./break-connection.ts";
import type { Answer, WriteBody } from "./exchange.ts";
import type { Message } from "../webhooks/sign-message.ts";

/** The receiver, as cases reach it. */
export interface Probe {
  secret: string;
  /** Events that are sent at once. */
  burst: number;
  send: (message: Message, write?: WriteBody) => Promise<Answer>;
  breakConnection: (message: Message, how: CloseMode) => Promise<void>;
  /** The answer to the first documented event. It is sent once, for all cases that look at it. */
  first: () => Promise<Answer>;
}

/** Returns what the receiver must change, as a sentence; undefined if the response is correct. */
export type Judge = (answer: Answer, advice: string) => string | undefined;

export interface CertificationCase {
  name: string;
  /** What is sent, and what must come back. */
  checks: string;
  /** The section of gateway/docs/contract.md that asks for it. */
  contract: string;
  /** What to change if it fails, as one sentence. */
  advice: string;
  /** The case without which this one tells nothing. */
  needs?: string;
  /** Each response is checked; `of` distinguishes the responses of a case. */
  send: (probe: Probe) => Promise<readonly Sent[]>;
  judge: Judge;
}

export interface Sent {
  answer: Answer;
  of?: string;
}
