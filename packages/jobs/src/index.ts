export { cancelJob, findJob, insertJob } from "./job.ts";
export { repairJobs, type Progress } from "./job-lease.ts";
export { createLeaseQueue, type Lease, type Only } from "./lease-queue.ts";
export { backOffMs, startLoop, type Loop } from "./loop.ts";
export { startJobs, type JobRun, type JobsOptions, type RunJob } from "./start-jobs.ts";
