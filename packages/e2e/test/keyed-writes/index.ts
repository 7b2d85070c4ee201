import { contactWrites } from "./contacts.ts";
import { deliveryWrites } from "./deliveries.ts";
import { distributorWrites } from "./distributors.ts";
import { elementWrites } from "./elements.ts";
import { responseWrites } from "./responses.ts";
import { subscriptionWrites } from "./subscriptions.ts";
import { surveyWrites } from "./surveys.ts";
import { tokenWrites } from "./tokens.ts";
import type { KeyedOperation } from "./keyed-operation.ts";

/** Operations of the API that take an idempotency key. Tests replay them, and kill processes in their middle. */
export const keyedOperations: KeyedOperation[] = [
  ...surveyWrites,
  ...elementWrites,
  ...responseWrites,
  ...tokenWrites,
  ...contactWrites,
  ...distributorWrites,
  ...subscriptionWrites,
  ...deliveryWrites,
];
