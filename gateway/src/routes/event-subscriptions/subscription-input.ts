import { createSubscriptionBody } from "@canvass/inputs";
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
