import type { ReceivedRequest } from "@canvass/testing/https-receiver";
import { type ApiClient, type DemoSystem } from "../../src/index.ts";
import type { SmallSurvey } from "../small-survey.ts";
import { startTestSystem } from "../test-system.ts";

/** One system for all stretches of road.test.ts; there from its beforeAll on. */
export let demo: DemoSystem;
export let api: ApiClient;
/** Whatever came to the webhook, in order. */
export const deliveries: ReceivedRequest[] = [];
/** What one stretch leaves to the next. */
export const road = {} as SmallSurvey & { secret: string; webhookId: string; respondentId: string };

/** For beforeAll. */
export async function startRoadSystem(): Promise<void> {
  demo = await startTestSystem();
  ({ api } = demo);
  demo.receiver.intercept((request) => void deliveries.push(request));
}

/** For afterAll. */
export async function stopRoadSystem(): Promise<void> {
  await demo?.[Symbol.asyncDispose]();
}
