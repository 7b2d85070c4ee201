import { contactWrites } from "./contacts.ts";
import { deliveryWrites } from "./deliveries.ts";
import { distributorWrites } from "./distributors.ts";
import { responseWrites } from "./responses.ts";
import { subscriptionWrites } from "./subscriptions.ts";
import { surveyWrites } from "./surveys.ts";
import { tokenWrites } from "./tokens.ts";
import type { KeyedOperation } from "./keyed-operation.ts";

/** Every operation of the API that takes an idempotency key. */
export const keyedOperations: KeyedOperation[] = [
  ...surveyWrites,
  ...responseWrites,
  ...tokenWrites,
  ...contactWrites,
  ...distributorWrites,
  ...subscriptionWrites,
  ...deliveryWrites,
];
