import { Type } from "typebox";
import { closed, idParam, nameText, withExamples, word } from "../schemas.ts";

export const subscriptionParams = Type.Object({ subscriptionId: idParam("id of an event subscription") });

/** Event kinds that can be subscribed to (contract 8.1; `webhook.test` can not). */
const eventTypes = ["response.completed"] as const;

export const createSubscriptionBody = withExamples(
  closed({
    name: nameText(100, "what people call the subscription"),
    url: Type.Optional(
      Type.String({
        pattern: "^[Hh][Tt][Tt][Pp][Ss]://[^/\\s][^\\s]*$",
        maxLength: 2048,
        description:
          "https, without user and password, to a public address on a port that is allowed (443); leave out for a feed",
      }),
    ),
    event_types: Type.Optional(
      Type.Array(word(eventTypes), { minItems: 1, uniqueItems: true, description: "default: response.completed" }),
    ),
  }),
  {
    feed: { summary: "A feed, read with GET /events", value: { name: "Data warehouse" } },
    webhook: {
      summary: "A signed webhook",
      value: { name: "CRM", url: "https://example.com/canvass", event_types: ["response.completed"] },
    },
  },
);
