import { addressOf, serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";
import { secretsKeyEnvironment, webhookEnvironment } from "@canvass/webhook-sender";
import { Type } from "typebox";
import { areWaits } from "./domain/retry-schedule.ts";

export const deliverySettings = serviceSettings("delivery", {
  ...webhookEnvironment,
  ...secretsKeyEnvironment,
  CANVASS_WEBHOOK_URL: addressOf("webhook"),
  CANVASS_WEBHOOK_RETRY_SECONDS: Type.Refine(
    Type.String({
      default: "",
      description: "eight waits in seconds, before attempts 2 to 9, comma-separated; for tests",
      examples: ["5,30,120,600,3600,10800,36000,86400"],
    }),
    areWaits,
  ),
  CANVASS_WEBHOOK_CONCURRENCY: Type.Integer({ default: 1000, minimum: 1, description: "attempts under way at once" }),
  CANVASS_WEBHOOK_ENDPOINT_CONCURRENCY: Type.Integer({
    default: 75,
    minimum: 1,
    description: "attempts under way at once to one webhook; a third of a draining queue's wait for the database",
  }),
});

export type DeliveryConfig = ConfigOf<typeof deliverySettings>;

export const readDeliveryConfig = deliverySettings.read;
