export { answerOwner } from "./answer-owner.ts";
export { createThreads, type Threads, type ThreadsOptions } from "./create-threads.ts";
export { fromSentError, toSentError, type SentError } from "./sent-error.ts";
