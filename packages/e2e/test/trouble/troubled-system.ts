import { type ApiClient, type DemoSystem } from "../../src/index.ts";
import { openDatabases, type Databases } from "../databases.ts";
import { publishSmallSurvey, type SmallSurvey } from "../small-survey.ts";
import { startTestSystem } from "../test-system.ts";

/** Set in beforeAll. */
export let demo: DemoSystem;
export let api: ApiClient;
export let databases: Databases;
export let survey: SmallSurvey;
export let anotherSurvey: SmallSurvey;

export async function startTroubledSystem(): Promise<void> {
  demo = await startTestSystem();
  ({ api } = demo);
  databases = openDatabases(demo.system.local.databaseUrl);
  survey = await publishSmallSurvey(api);
  anotherSurvey = await publishSmallSurvey(api, "Another survey");
}

export async function stopTroubledSystem(): Promise<void> {
  await databases?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
}
