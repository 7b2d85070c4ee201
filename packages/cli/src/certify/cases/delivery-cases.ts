import type { CertificationCase, Probe } from "../certification-case.ts";
import { exampleEvent, newWebhookId } from "../../webhooks/example-event.ts";
import { accepted } from "../judges.ts";
import { randomSecret, signMessage } from "../../webhooks/sign-message.ts";
import { writeInPieces } from "../write-in-pieces.ts";

const common = { needs: "good", judge: accepted } as const;
const sign = ({ secret }: Probe, secrets = [secret]) => signMessage(exampleEvent(), { secrets });

/** Ways in which events may arrive; the receiver must accept each. */
export const deliveryCases: readonly CertificationCase[] = [
  {
    ...common,
    name: "duplicate",
    checks: "an event that comes again is accepted; whether it counts once, only the receiver can tell",
    contract: "8.10",
    advice: "Answer 2xx to a webhook-id that you have, and do nothing more with it.",
    async send({ secret, send }) {
      const message = signMessage(exampleEvent(), { secrets: [secret], webhookId: newWebhookId() });
      return [
        { of: "first", answer: await send(message) },
        { of: "again", answer: await send(message) },
      ];
    },
  },
  {
    ...common,
    name: "two-signatures",
    checks: "an event with two signatures, as after a rotation, is accepted by the first and by the second",
    contract: "8.7",
    advice: "Accept an event when any entry of webhook-signature fits: spaces separate them.",
    async send(probe) {
      const other = randomSecret();
      return [
        { of: "the first fits", answer: await probe.send(sign(probe, [probe.secret, other])) },
        { of: "the second fits", answer: await probe.send(sign(probe, [other, probe.secret])) },
      ];
    },
  },
  {
    ...common,
    name: "pieces",
    checks: "an event that arrives in pieces is accepted",
    contract: "8.6",
    advice: "Read all content-length bytes of the body before you verify it.",
    send: async (probe) => [{ answer: await probe.send(sign(probe), writeInPieces) }],
  },
  {
    ...common,
    name: "burst",
    checks: "75 events at once, as many as Canvass has under way, are accepted",
    contract: "8.8",
    advice: "Take 75 requests at once: store each event, answer within 10 seconds, and work on it afterwards.",
    async send(probe) {
      const answers = await Promise.all(Array.from({ length: probe.burst }, () => probe.send(sign(probe))));
      return answers.map((answer, index) => ({ of: `${index + 1} of ${probe.burst}`, answer }));
    },
  },
  {
    ...common,
    name: "broken-off",
    checks: "an event is accepted after a request that breaks off in its body, and one that is half-closed there",
    contract: "8.8",
    advice: "Go on serving when a connection ends within a body: handle the error of the read.",
    async send(probe) {
      await probe.breakConnection(sign(probe), "whole");
      await probe.breakConnection(sign(probe), "half");
      return [{ of: "the next event", answer: await probe.send(sign(probe)) }];
    },
  },
];
