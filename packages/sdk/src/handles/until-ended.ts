import type { ExportJob } from "../../gen/api/types.gen.ts";
import { sleep } from "../connection/pause.ts";
import type { RequestOptions } from "../options.ts";

/** How to wait for a job, by default an export. */
export interface WaitOptions<Job = ExportJob> extends RequestOptions {
  /** Gets the job at first, and whenever it has moved on. */
  onProgress?: (job: Job) => void;
}

interface Waiting {
  status: string;
  percentComplete: number;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;

/** Polls a job until it is neither queued nor processing, and returns it. */
export async function untilEnded<
  Data extends Waiting,
  Job extends Data & { reload(options?: RequestOptions): Promise<Job> },
>(job: Job, { onProgress, ...options }: WaitOptions<Data> = {}): Promise<Job> {
  onProgress?.(job);
  let pauseMs = firstPauseMs;
  while (["queued", "processing"].includes(job.status)) {
    await sleep(pauseMs, options.signal);
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
    const before = job;
    job = await job.reload(options);
    if (job.status !== before.status || job.percentComplete !== before.percentComplete) onProgress?.(job);
  }
  return job;
}
