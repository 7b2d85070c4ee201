import type { CertificationCase, Probe } from "../certification-case.ts";
import { exampleEvent } from "../../webhooks/example-event.ts";
import { refused } from "../judges.ts";
import { randomSecret, signMessage } from "../../webhooks/sign-message.ts";

/** Receivers accept five minutes; the sixth is for clocks that differ. */
const OFF_MS = 6 * 60_000;
const HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** A receiver that accepts any signature accepts all of these. */
const common = { needs: "forged", judge: refused, contract: "8.7" } as const;

/** Requests of others, which the receiver refuses. Canvass sends none of them. */
export const refusedCases: readonly CertificationCase[] = [
  {
    ...common,
    name: "forged",
    needs: "good",
    checks: "an event signed with another secret is refused",
    advice: "Compare webhook-signature with an HMAC of your own first of all, and answer 400 when none fits.",
    async send({ send }) {
      return [{ answer: await send(signMessage(exampleEvent(), { secrets: [randomSecret()] })) }];
    },
  },
  {
    ...common,
    name: "tampered",
    checks: "an event whose body was changed after it was signed is refused",
    advice: "Compute the HMAC over the body, too, and answer 400 when it does not fit.",
    async send({ secret, send }) {
      const { headers } = signMessage(exampleEvent(), { secrets: [secret] });
      const body = JSON.stringify(exampleEvent(undefined, new Date(0)));
      return [{ answer: await send({ headers, body }) }];
    },
  },
  {
    ...common,
    name: "stale",
    checks: "an event signed six minutes ago is refused",
    advice: "Answer 400 to a webhook-timestamp more than five minutes ago: others may replay what they have seen.",
    send: (probe) => sendSignedAt(probe, -OFF_MS),
  },
  {
    ...common,
    name: "future",
    checks: "an event signed six minutes ahead is refused",
    advice: "Answer 400 to a webhook-timestamp more than five minutes ahead.",
    send: (probe) => sendSignedAt(probe, OFF_MS),
  },
  {
    ...common,
    name: "missing-headers",
    checks: `an event without one of ${HEADERS.join(", ")} is refused`,
    contract: "8.6",
    advice: `Answer 400 to a request that lacks one of ${HEADERS.join(", ")}.`,
    async send({ secret, send }) {
      const sent = [];
      for (const name of HEADERS) {
        const { headers, body } = signMessage(exampleEvent(), { secrets: [secret] });
        const { [name]: _, ...others } = headers;
        sent.push({ of: `without ${name}`, answer: await send({ headers: others, body }) });
      }
      return sent;
    },
  },
];

async function sendSignedAt({ secret, send }: Probe, fromNowMs: number) {
  const at = new Date(Date.now() + fromNowMs);
  return [{ answer: await send(signMessage(exampleEvent(), { secrets: [secret], at })) }];
}
