import { createSubscriptionBody, redeliverRangeBody, updateSubscriptionBody } from "@canvass/inputs";
import { Type } from "typebox";
import { idParam, withExamples } from "../schemas.ts";

export const subscriptionParams = Type.Object({ subscriptionId: idParam("id of an event subscription") });

export const deliveryParams = Type.Object({
  subscriptionId: idParam("id of a webhook"),
  deliveryId: idParam("id of a delivery"),
});

export const documentedRedeliverRange = withExamples(redeliverRangeBody, {
  outage: {
    summary: "What failed during an outage",
    value: { status: "failed", from: "2026-01-31T09:00:00Z", to: "2026-01-31T17:30:00Z" },
  },
  since: { summary: "All that failed since", value: { from: "2026-01-31T09:00:00Z" } },
});

export const documentedCreateSubscription = withExamples(createSubscriptionBody, {
  feed: { summary: "A feed, read with GET /events", value: { name: "Data warehouse" } },
  webhook: {
    summary: "A signed webhook",
    value: { name: "CRM", url: "https://example.com/canvass", event_types: ["response.completed"] },
  },
});

export const documentedUpdateSubscription = withExamples(updateSubscriptionBody, {
  rename: { summary: "Another name", value: { name: "CRM, production" } },
  move: { summary: "Another address", value: { url: "https://example.com/canvass/v2" } },
  pause: { summary: "Stops sending, keeps what is queued", value: { status: "paused" } },
  resume: { summary: "Resumes what is paused or disabled", value: { status: "active" } },
});
