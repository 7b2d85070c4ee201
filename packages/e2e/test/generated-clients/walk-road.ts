/** Where a program with a generated client begins. */
export interface RoadStart {
  url: string;
  token: string;
  /** Where webhooks arrive, and who takes them from now on. A webhook that it throws at is answered with 400. */
  receiver: { url: string; listen: (receive: (webhook: ReceivedWebhook) => void) => void };
}

export interface ReceivedWebhook {
  headers: Record<string, string>;
  body: string;
}

/** What it saw on the road: create, publish, link, answer, results, webhook, feed. */
export interface RoadEnd {
  style: string | null | undefined;
  mean: number | null;
  /** A setting of the question, and its answers. */
  steps: number | undefined;
  ratings: number[];
  names: string[];
  refused: unknown;
  feedId: string;
  surveyId: string;
  /** The outcome of a test of the webhook. */
  tested: string;
  /** The surveys of the events that the webhook got, with valid signatures. */
  readWebhooks: () => string[];
  /** The surveys of the events in the feed. */
  readEvents: () => Promise<string[]>;
}

export type WalkRoad = (start: RoadStart) => Promise<RoadEnd>;
