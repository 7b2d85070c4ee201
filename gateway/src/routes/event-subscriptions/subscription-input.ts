import { createSubscriptionBody, updateSubscriptionBody } from "@canvass/inputs";
import { Type } from "typebox";
import { idParam, withExamples } from "../schemas.ts";

export const subscriptionParams = Type.Object({ subscriptionId: idParam("id of an event subscription") });

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
