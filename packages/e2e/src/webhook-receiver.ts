import { Webhook } from "standardwebhooks";
import {
  testReceiver,
  type ReceivedRequest,
  type ReceiverResponse,
  type TestReceiver,
} from "@canvass/testing/https-receiver";

/** A webhook endpoint that verifies deliveries with the standardwebhooks package. */
export interface VerifyingReceiver extends AsyncDisposable {
  url: string;
  ca: string;
  /** Number of deliveries with a valid signature, by webhook-id. */
  verified: Map<string, number>;
  /** Events by webhook-id. */
  events: Map<string, { type: string; timestamp: string; data: Record<string, string> }>;
  /** Number of deliveries with an invalid signature. */
  readonly rejected: number;
  /** Verifies deliveries with this secret from now on. Before the first call, responds with 503. */
  trust(secret: string): void;
  /** Calls `answer` for every verified delivery. Its result replaces 204. Undefined removes it. */
  intercept(
    answer: ((request: ReceivedRequest) => InterceptedResponse | Promise<InterceptedResponse>) | undefined,
  ): void;
  /** Answers deliveries instead of verifying them. Undefined verifies again. */
  replace(answer: ((request: ReceivedRequest) => ReceiverResponse) | undefined): void;
  receiver: TestReceiver;
}

export type InterceptedResponse = ReceiverResponse | undefined;

export async function verifyingReceiver(): Promise<VerifyingReceiver> {
  const verified = new Map<string, number>();
  const events: VerifyingReceiver["events"] = new Map();
  let rejected = 0;
  let webhook: Webhook | undefined;
  let interceptor: Parameters<VerifyingReceiver["intercept"]>[0];
  const verify = async (request: ReceivedRequest) => {
    if (!webhook) return 503;
    const { body, headers } = request;
    try {
      const event = webhook.verify(body, headers as Record<string, string>) as never;
      const id = headers["webhook-id"] as string;
      verified.set(id, (verified.get(id) ?? 0) + 1);
      events.set(id, event);
    } catch {
      rejected += 1;
      return 400;
    }
    return (await interceptor?.(request)) ?? 204;
  };
  const receiver = await testReceiver({ record: false, answer: verify });
  return {
    url: `${receiver.url}/hook`,
    ca: receiver.ca,
    verified,
    events,
    get rejected() {
      return rejected;
    },
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    intercept: (answer) => {
      interceptor = answer;
    },
    replace: (answer) => receiver.answer(answer ?? verify),
    receiver,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
