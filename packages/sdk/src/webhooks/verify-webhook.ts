import { Webhook } from "standardwebhooks";
import type { ResponseCompletedEvent, WebhookTestEvent } from "../../gen/api/types.gen.ts";
import { CanvassError } from "../errors/canvass-error.ts";

/** An event as a receiver gets it. `id` is the `webhook-id`, the same on every retry: handle each once. */
export type WebhookEvent = { id: string } & (ResponseCompletedEvent | WebhookTestEvent);

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks that a request to a receiver comes from the installation, by Standard Webhooks (contract 8.7), and returns its
 * event. `body` is the body as it was received: its bytes or text, not parsed. Throws a `CanvassError` with the code
 * `invalid_signature`.
 */
export function verifyWebhook(body: string | Uint8Array, headers: HeaderValues, secret: string): WebhookEvent {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headerOf(headers, name)]),
  );
  try {
    const event = new Webhook(secret).verify(text, signed) as ResponseCompletedEvent | WebhookTestEvent;
    return { id: signed["webhook-id"]!, ...event };
  } catch (cause) {
    throw new CanvassError(
      {
        code: "invalid_signature",
        message: `The webhook cannot be trusted: ${(cause as Error).message}.`,
        suggestion:
          "Answer 400. Check the secret, this machine's clock, and that `body` is what was received, unchanged.",
        retryable: false,
        details: {},
      },
      { cause },
    );
  }
}

function headerOf(headers: HeaderValues, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const [, value = ""] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return String(value);
}
