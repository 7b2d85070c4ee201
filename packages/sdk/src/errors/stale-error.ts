import { CanvassError, Failure } from "./canvass-error.ts";

/** A write was refused, since the resource changed after it was read (412). Nothing was written. */
export class StaleError<Resource> extends Failure {
  override readonly code = "precondition_failed";
  /** The current resource, for trying the change again. */
  readonly current: Resource;

  constructor(cause: CanvassError, current: Resource) {
    super(cause, { status: cause.status, requestId: cause.requestId, cause });
    this.current = current;
  }
}

/** Awaits a write. If it was stale, reads the resource again and throws an error with it. */
export async function orStale<Result, Resource>(
  write: Promise<Result>,
  Stale: new (cause: CanvassError, current: Resource) => StaleError<Resource>,
  reload: () => Promise<Resource>,
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof CanvassError) || error.code !== "precondition_failed") throw error;
    throw new Stale(error, await reload());
  }
}
