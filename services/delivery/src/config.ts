import { addressSetting, serviceSettings } from "@canvass/service";
import type { ConfigOf } from "@canvass/telemetry";
import { secretsKeyEnvironment, webhookEnvironment } from "@canvass/webhook-sender";
import { Type } from "typebox";
import { areWaits } from "./domain/retry-schedule.ts";

export const deliverySettings = serviceSettings("delivery", {
  ...webhookEnvironment,
  ...secretsKeyEnvironment,
  CANVASS_WEBHOOK_URL: addressSetting("webhook"),
  CANVASS_WEBHOOK_RETRY_SECONDS: Type.Refine(
    Type.String({
      default: "",
      description: "eight waits in seconds, before attempts 2 to 9, comma-separated; for tests",
      examples: ["30,300,1800,7200,18000,36000,86400,172800"],
    }),
    areWaits,
  ),
  CANVASS_WEBHOOK_CONCURRENCY: Type.Integer({ default: 1000, minimum: 1, description: "attempts under way at once" }),
  CANVASS_WEBHOOK_ENDPOINT_CONCURRENCY: Type.Integer({
    default: 75,
    minimum: 1,
    description:
      "attempts under way at once to one webhook; of a draining queue about a third of them wait for the database",
  }),
});

export type DeliveryConfig = ConfigOf<typeof deliverySettings>;

export const readDeliveryConfig = deliverySettings.read;
