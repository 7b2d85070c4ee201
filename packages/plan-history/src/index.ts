export { evaluateWithPlans } from "./evaluate-with-plans.ts";
export { createFetchPlanChanges, type FetchPlanChanges } from "./fetch-plan-changes.ts";
export {
  findPlanChanges,
  hadWebhooksSql,
  insertPlanChanges,
  purgePlanChanges,
  repairPlanChanges,
  type Evaluated,
  type PlanChange,
} from "./plan-changes.ts";
export { storePlanChanges } from "./store-plan-changes.ts";
