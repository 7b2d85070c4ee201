import type { CertificationCase, Probe } from "../certification-case.ts";
import { eventTypes, exampleEvent, type WebhookEvent } from "../../webhooks/example-event.ts";
import { accepted } from "../judges.ts";
import { largeEvent } from "../large-event.ts";
import { signMessage, traced } from "../../webhooks/sign-message.ts";

/** The wait of all retries (contract 8.9). */
const LAST_RETRY_MS = 322_530_000;

const common = { needs: "good", judge: accepted } as const;
const sending = (eventOf: () => WebhookEvent | string) => async (probe: Probe) => [
  { answer: await probe.send(signMessage(eventOf(), { secrets: [probe.secret] })) },
];

/** One event each, which the receiver accepts. */
export const eventCases: readonly CertificationCase[] = [
  ...eventTypes.slice(1).map((type) => ({
    ...common,
    name: type,
    checks: "this event is accepted, too",
    contract: "8.1",
    advice: `Answer 2xx to ${type}, even if you do nothing with it.`,
    send: sending(() => exampleEvent(type)),
  })),
  {
    ...common,
    name: "late",
    checks: "the last retry of an event of 3.7 days ago, signed now, is accepted",
    contract: "8.9",
    advice: "Judge the age by webhook-timestamp, the time of the attempt, not by the times in the body.",
    send: sending(() => exampleEvent(undefined, new Date(Date.now() - LAST_RETRY_MS))),
  },
  {
    ...common,
    name: "traced",
    checks: "an event with a traceparent header is accepted",
    contract: "8.6",
    advice: "Answer 2xx to events with a traceparent header; it is not signed.",
    async send(probe) {
      const { headers, body } = signMessage(exampleEvent(), { secrets: [probe.secret] });
      return [{ answer: await probe.send({ headers: { ...headers, ...traced }, body }) }];
    },
  },
  {
    ...common,
    name: "raw-body",
    checks: "an event whose JSON has other white space is accepted",
    contract: "8.7",
    advice:
      "Verify the body's bytes as they arrived, before you parse them: JSON that is written again has other bytes.",
    send: sending(() => `${JSON.stringify(exampleEvent(), null, " ")}\n`),
  },
  {
    ...common,
    name: "unknown-type",
    checks: "an event of an unknown type is accepted",
    contract: "8.6",
    advice: "Answer 2xx to types that you do not know, and do nothing with them.",
    send: sending(() => ({ ...exampleEvent(), type: "certify.unknown" })),
  },
  {
    ...common,
    name: "unknown-fields",
    checks: "an event with fields that are not documented is accepted",
    contract: "8.6",
    advice: "Ignore fields that you do not know.",
    send: sending(() => withMoreFields(exampleEvent())),
  },
  {
    ...common,
    name: "large",
    needs: "unknown-fields",
    checks: "an event of 64 KiB, the largest body, is accepted",
    contract: "8.6",
    advice: "Take request bodies of up to 64 KiB, in proxies too.",
    send: sending(largeEvent),
  },
];

function withMoreFields({ data, ...event }: WebhookEvent): WebhookEvent {
  const more = { certify_text: "more", certify_list: [{ certify: null }] };
  return { ...event, ...more, data: { ...data, ...more } };
}
