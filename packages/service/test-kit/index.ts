export { startDouble } from "./double.ts";
export { testEnvironment } from "./environment.ts";
export { completion, planChange } from "./events.ts";
export { recordHotStatements, type HotStatements } from "./hot-statements.ts";
export { idempotency } from "./idempotency.ts";
export { looseLookUps } from "./kept-plans.ts";
export { signedPerson, testKeys } from "./keys.ts";
export { codeOf, refusal, refusalOf } from "./refusal.ts";
export { startTestService, type TestService, type TestServiceOptions } from "./start-test-service.ts";
