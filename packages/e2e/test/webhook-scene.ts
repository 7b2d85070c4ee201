import type { ReceivedRequest } from "@canvass/testing/https-receiver";
import type { ApiClient, DemoSystem, VerifyingReceiver } from "../src/index.ts";
import { openDatabases, type Databases } from "./databases.ts";
import type { SharedSystem } from "./shared-system.ts";
import { completeRespondent, publishSmallSurvey, type SmallSurvey } from "./small-survey.ts";

/** A separate workspace with a published survey and a feed. */
export interface WebhookScene extends AsyncDisposable {
  demo: DemoSystem;
  workspaceId: string;
  api: ApiClient;
  databases: Databases;
  survey: SmallSurvey;
  /** Completes a respondent. Returns its id. */
  complete(): Promise<string>;
  /** Creates the webhook of the receiver. There can be one at a time. */
  addHook(): Promise<Hook>;
}

export interface Hook {
  id: string;
  /** The subscription's API path. */
  path: string;
  secret: string;
  received: ReceivedRequest[];
  /** The receiver's response status. */
  status: number;
  remove(): Promise<void>;
}

/**
 * Environment with which failed attempts are repeated every `seconds`; with 600, a failed delivery stays pending during
 * a test.
 */
export const retryEvery = (seconds: number) => ({ CANVASS_WEBHOOK_RETRY_SECONDS: Array(8).fill(seconds).join(",") });

export async function openWebhookScene({ demo, newWorkspace }: SharedSystem): Promise<WebhookScene> {
  const { api, workspaceId } = await newWorkspace();
  const survey = await publishSmallSurvey(api);
  await api.post("/event-subscriptions", { name: "Feed" });
  const databases = openDatabases(demo.system.local.databaseUrl);
  return {
    demo,
    workspaceId,
    api,
    databases,
    survey,
    complete: () => completeRespondent(api, survey),
    addHook: () => addHook(api, demo.receiver),
    [Symbol.asyncDispose]: () => databases[Symbol.asyncDispose](),
  };
}

async function addHook(api: ApiClient, receiver: VerifyingReceiver): Promise<Hook> {
  const { data } = await api.post("/event-subscriptions", { name: "CRM", url: receiver.url });
  const path = `/event-subscriptions/${data.id}`;
  const remove = async () => void (await api.call("DELETE", path));
  const hook: Hook = { id: data.id, path, secret: data.secret, received: [], status: 204, remove };
  receiver.trust(hook.secret);
  receiver.intercept((request) => {
    hook.received.push(request);
    return hook.status;
  });
  return hook;
}
