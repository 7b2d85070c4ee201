import { PROCESSES } from "@canvass/processes";
import type { ReceivedRequest } from "@canvass/testing/https-receiver";
import { type ApiClient, type DemoSystem } from "../../src/index.ts";
import type { SmallSurvey } from "../small-survey.ts";
import { startTestSystem } from "../test-system.ts";

/** Set in beforeAll. */
export let demo: DemoSystem;
export let api: ApiClient;
/** Arrived webhooks, in order. */
export const deliveries: ReceivedRequest[] = [];
/** State that one topic leaves to the next. */
export const journey = {} as SmallSurvey & { secret: string; webhookId: string; respondentId: string };

export async function startJourneySystem(): Promise<void> {
  // As in production: each module loads from its own file.
  demo = await startTestSystem({ processes: PROCESSES, serverData: undefined });
  ({ api } = demo);
  demo.receiver.intercept((request) => void deliveries.push(request));
}

export async function stopJourneySystem(): Promise<void> {
  await demo?.[Symbol.asyncDispose]();
}
