export { filterByPlan } from "./filter-by-plan.ts";
export { createFetchPlanChanges, type FetchPlanChanges } from "./fetch-plan-changes.ts";
export {
  findPlanChanges,
  hadWebhooks,
  insertPlanChanges,
  purgePlanChanges,
  repairPlanChanges,
  type Evaluated,
  type PlanChange,
} from "./plan-changes.ts";
export { storePlanChanges } from "./store-plan-changes.ts";
