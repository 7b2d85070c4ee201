import type { CertificationCase, Probe } from "../certification-case.ts";
import { accepted, connected, inTime, short, unredirected } from "../judges.ts";

const send = async (probe: Probe) => [{ answer: await probe.first() }];

/** Cases about the response to a single event. Each case depends on the previous one. */
export const firstAnswerCases: readonly CertificationCase[] = [
  {
    name: "connection",
    checks: "the receiver is reached, and its certificate is trusted",
    contract: "8.4",
    advice: "Make host and port of the URL reachable: resolve the name, start the receiver, open the port.",
    send,
    judge: connected,
  },
  {
    name: "deadline",
    needs: "connection",
    checks: "a status line comes within 10 seconds",
    contract: "8.8",
    advice: "Store the event, answer within 10 seconds, and work on it afterwards.",
    send,
    judge: inTime,
  },
  {
    name: "redirect",
    needs: "deadline",
    checks: "the URL itself answers",
    contract: "8.8",
    advice: "Give Canvass the URL that answers itself: redirects are not followed.",
    send,
    judge: unredirected,
  },
  {
    name: "good",
    needs: "redirect",
    checks: "an event is accepted",
    contract: "8.8",
    advice: "Verify with this webhook's secret, over the body as it arrived, and answer 2xx when the signature fits.",
    send,
    judge: accepted,
  },
  {
    name: "short-answer",
    needs: "good",
    checks: "the answer has at most 64 KiB",
    contract: "8.8",
    advice: "Answer with a short body or none: Canvass reads 64 KiB, then closes the connection.",
    send,
    judge: short,
  },
];
