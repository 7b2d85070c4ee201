import { describe } from "vitest";
import { testReceiversPage } from "./receiving/receivers-page.ts";
import { testSubscriptions } from "./receiving/subscriptions.ts";
import { shareSystem } from "./shared-system.ts";
import { retryEvery } from "./webhook-scene.ts";

const shared = await shareSystem({
  env: { CANVASS_WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8,::1/128", ...retryEvery(1) },
});

// First: it counts the secrets of the whole system.
describe("subscriptions", () => {
  testSubscriptions(shared);
});

describe("the page for receivers", () => {
  testReceiversPage(shared);
});
