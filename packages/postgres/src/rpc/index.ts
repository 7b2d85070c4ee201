export { findReplay } from "./find-replay.ts";
export { idempotencyKey, idempotencyService, replayMessage } from "./idempotency-service.ts";
export { answerTime, idempotently } from "./idempotently.ts";
