import type { Event } from "@canvass/proto/events";
import type { WebhookContext } from "../context.ts";
import { storePlanChanges } from "@canvass/plan-history";

export const storePlans = ({ database }: WebhookContext, events: readonly Event[]): Promise<void> =>
  storePlanChanges(database.sql, events);
