import { Type } from "typebox";
import { schemaReference } from "./name-schemas.ts";
import { eventSchemas, type DescribedEvent } from "./event-schemas.ts";

export const feedEvents = Object.values(eventSchemas).filter(({ inFeed }) => inFeed);

/** The name of an event as an item of the feed. */
export const feedItemName = (name: string): string => `Feed${name}`;

const place = {
  id: Type.String({ description: "equal to a webhook's `webhook-id`", examples: ["01h8x7m3k5p9r2tb"] }),
  cursor: Type.String({ description: "cursor of this event in the feed" }),
};

export function feedItemSchema({ name, summary, body }: DescribedEvent) {
  const { id, cursor } = place;
  return Type.Object({ id, ...body.properties, cursor }, { title: feedItemName(name), description: summary });
}

/** The schema of an item of the feed, with a variant for each type (contract 8.1). */
export const feedEventSchema = Type.Unsafe<object>({
  title: "FeedEvent",
  oneOf: feedEvents.map(feedItemSchema),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(
      feedEvents.map(({ name, example }) => [example.type, schemaReference(feedItemName(name)).$ref]),
    ),
  },
});
