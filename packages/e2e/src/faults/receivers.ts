import { startSeverableLink, type SeverableLink } from "@canvass/testing";
import { testReceiver, type ReceiverResponse } from "@canvass/testing/https-receiver";
import { Webhook } from "standardwebhooks";
import type { Random } from "./random.ts";

/** A receiver's behaviour while there is no fault. */
export type Manner = "quick" | "slow" | "fails at first";

export interface Hook {
  url: string;
  manner: Manner;
  /** Times of verified deliveries that got a success response, by respondent, then by `webhook-id`. */
  arrivals: Map<string, Map<string, number[]>>;
  trust(secret: string): void;
}

export interface Receivers extends AsyncDisposable {
  ca: string;
  hooks: readonly Hook[];
  /** Between the system and the receivers. */
  link: SeverableLink;
  /** Makes all receivers respond with `answer` until called with undefined. */
  trouble(answer: ReceiverResponse | undefined): void;
  /** Violations: a wrong signature, or two bodies under one id. */
  readonly faults: readonly string[];
  addHook(manner: Manner): Hook;
}

const SLOW_MS = 700;

/** Starts an HTTPS server for several webhooks. */
export async function startReceivers(random: Random): Promise<Receivers> {
  await using starting = new AsyncDisposableStack();
  const byPath = new Map<string, { hook: Hook; webhook?: Webhook; bodies: Map<string, string> }>();
  const faults: string[] = [];
  let trouble: ReceiverResponse | undefined;

  const receiver = starting.use(
    await testReceiver({
      record: false,
      answer: ({ path, body, headers }) => {
        const target = byPath.get(path);
        if (!target?.webhook) return 503;
        const id = String(headers["webhook-id"]);
        const { hook, webhook, bodies } = target;
        const responseId = readResponse(webhook, body, headers as Record<string, string>);
        if (responseId === undefined) {
          faults.push(`${path}: a wrong signature on ${id}`);
          return 400;
        }
        if ((bodies.get(id) ?? body) !== body) faults.push(`${path}: two bodies under ${id}`);
        const isFirst = !bodies.has(id);
        bodies.set(id, body);
        const answer = trouble ?? usualAnswer(hook.manner, isFirst, random);
        if (isSuccess(answer)) note(hook, responseId, id);
        return answer;
      },
    }),
  );
  const link = starting.use(await startSeverableLink({ host: "127.0.0.1", port: receiver.port }));
  const running = starting.move();
  return {
    ca: receiver.ca,
    link,
    faults,
    get hooks() {
      return [...byPath.values()].map(({ hook }) => hook);
    },
    trouble: (answer) => {
      trouble = answer;
    },
    addHook(manner) {
      const path = `/hook-${byPath.size}`;
      const hook: Hook = {
        url: `https://127.0.0.1:${link.port}${path}`,
        manner,
        arrivals: new Map(),
        trust: (secret) => void (byPath.get(path)!.webhook = new Webhook(secret)),
      };
      byPath.set(path, { hook, bodies: new Map() });
      return hook;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function readResponse(webhook: Webhook, body: string, headers: Record<string, string>): string | undefined {
  try {
    const { data } = webhook.verify(body, headers) as { data: { response_id: string } };
    return data.response_id;
  } catch {
    return undefined;
  }
}

function usualAnswer(manner: Manner, isFirst: boolean, random: Random): ReceiverResponse {
  if (manner === "slow") return { status: 204, delayMs: SLOW_MS };
  if (manner === "fails at first" && isFirst && random() < 0.4) return random() < 0.5 ? 500 : "close";
  return 204;
}

const isSuccess = (answer: ReceiverResponse): boolean =>
  answer === 204 || (typeof answer === "object" && answer.status === 204);

function note({ arrivals }: Hook, responseId: string, id: string): void {
  const byId = arrivals.get(responseId) ?? new Map<string, number[]>();
  arrivals.set(responseId, byId);
  byId.set(id, [...(byId.get(id) ?? []), performance.now()]);
}
