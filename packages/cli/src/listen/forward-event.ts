import { systemErrorCode } from "@canvass/provisioning";
import type { Api } from "@canvass/sdk";
import { isUnsent } from "../is-unsent.ts";
import { signMessage } from "../webhooks/sign-message.ts";

export type Attempt = {
  /** Undefined without a response. */
  status: number | undefined;
  /** Why there is no response. */
  reason: string | undefined;
  /** True: nothing listens at the address. */
  absent: boolean;
  milliseconds: number;
};

/** As long as the platform waits for a webhook (contract 8.8). */
const longestMs = 10_000;

/** The request by which the platform sends an event (contract 8.6 and 8.7), signed now. */
export function signedRequest({ id, type, timestamp, data }: Api.FeedEvent, secret: string, now = new Date()) {
  const signing = { secrets: [secret], webhookId: id, at: now };
  return { method: "POST", ...signMessage({ type, timestamp, data }, signing) };
}

/** Sends an event to a URL once, and returns the result. */
export async function forwardEvent(event: Api.FeedEvent, forward: string, secret: string): Promise<Attempt> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const sent = {
      ...signedRequest(event, secret),
      redirect: "manual",
      signal: AbortSignal.timeout(longestMs),
    } as const;
    const response = await fetch(forward, sent);
    await response.body?.cancel().catch(() => undefined);
    return { status: response.status, reason: undefined, absent: false, milliseconds: took() };
  } catch (error) {
    const { cause, message } = error as Error;
    const absent = isUnsent(cause);
    const late = (error as Error).name === "TimeoutError";
    const reason = late ? `no response within ${longestMs / 1000} s` : systemErrorCode(cause) || message;
    return { status: undefined, reason, absent, milliseconds: took() };
  }
}

export const isSuccess = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300;
