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
    summary: "Deliveries that failed during an outage",
    value: { status: "failed", from: "2026-01-31T09:00:00Z", to: "2026-01-31T17:30:00Z" },
  },
  since: { summary: "All that have failed since", value: { from: "2026-01-31T09:00:00Z" } },
});

export const documentedCreateSubscription = withExamples(createSubscriptionBody, {
  feed: { summary: "A feed, read with GET /events", value: { name: "Data warehouse" } },
  webhook: {
    summary: "A signed webhook",
    value: { name: "CRM", url: "https://example.com/canvass", event_types: ["response.completed"] },
  },
});

export const documentedUpdateSubscription = withExamples(updateSubscriptionBody, {
  rename: { summary: "Changes the name", value: { name: "CRM, production" } },
  move: { summary: "Changes the URL", value: { url: "https://example.com/canvass/v2" } },
  pause: { summary: "Pauses sending; queued deliveries are kept", value: { status: "paused" } },
  resume: { summary: "Resumes a paused or disabled subscription", value: { status: "active" } },
});
