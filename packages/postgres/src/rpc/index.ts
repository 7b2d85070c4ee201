export { findReplay } from "./find-replay.ts";
export { idempotencyKey, idempotencyService, keyOfCall, replayMessage } from "./idempotency-service.ts";
export { answerTime, idempotently } from "./idempotently.ts";
