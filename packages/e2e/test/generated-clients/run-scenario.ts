/** Input of a scenario. */
export interface ScenarioInput {
  url: string;
  token: string;
  /** `listen` sets the handler of webhooks. If it throws, the webhook gets status 400. */
  receiver: { url: string; listen: (receive: (webhook: ReceivedWebhook) => void) => void };
}

export interface ReceivedWebhook {
  headers: Record<string, string>;
  body: string;
}

/** Results of the scenario: create, publish, link, answer, read results, receive a webhook, read the feed. */
export interface ScenarioResult {
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
  testOutcome: string;
  /** The surveys of the events that the webhook got, with valid signatures. */
  readWebhooks: () => string[];
  /** The surveys of the events in the feed. */
  readEvents: () => Promise<string[]>;
}

export type RunScenario = (input: ScenarioInput) => Promise<ScenarioResult>;
