export { cancelJob, findJob, insertJob, type JobState, type JobStatus, type NewJob } from "./job.ts";
export { repairJobs, type Progress } from "./job-lease.ts";
export { createLeaseQueue, type ClaimOptions, type Lease, type LeaseQueue, type Only } from "./lease-queue.ts";
export { backOffMs, startLoop, type Loop, type LoopOptions } from "./loop.ts";
export { startJobs, type JobRun, type JobsOptions, type RunJob } from "./start-jobs.ts";
