export { claimBatch, findEarlierAnswers } from "./claim-batch.ts";
export { findReplay } from "./find-replay.ts";
export { idempotencyKey, keyOfCall, replayMessage } from "./idempotency-key.ts";
export { answerTime, idempotently } from "./idempotently.ts";
