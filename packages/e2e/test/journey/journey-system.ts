import type { ReceivedRequest } from "@canvass/testing/https-receiver";
import { type ApiClient, type DemoSystem } from "../../src/index.ts";
import type { SmallSurvey } from "../small-survey.ts";
import { startTestSystem } from "../test-system.ts";

/** Both set by `startJourneySystem`. */
export let demo: DemoSystem;
export let api: ApiClient;
/** Received webhooks, in order. */
export const deliveries: ReceivedRequest[] = [];
/** Values that earlier parts of the journey set for later ones. */
export const journeyState = {} as SmallSurvey & { secret: string; webhookId: string; respondentId: string };

export async function startJourneySystem(): Promise<void> {
  demo = await startTestSystem();
  ({ api } = demo);
  demo.receiver.intercept((request) => void deliveries.push(request));
}

export async function stopJourneySystem(): Promise<void> {
  await demo?.[Symbol.asyncDispose]();
}
