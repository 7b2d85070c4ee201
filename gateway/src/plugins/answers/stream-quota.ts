import { AppError } from "@canvass/errors";

/** How many streams each workspace may have open at once. */
export interface StreamQuota {
  /** Disposing gives the place back. Throws `rate_limited` when the workspace has no place left. */
  reserve(workspaceId: string): Disposable;
}

/** Each open stream holds at most a few mebibytes here and one call to a service. */
export function createStreamQuota(limit = 8): StreamQuota {
  const open = new Map<string, number>();
  return {
    reserve(workspaceId) {
      const count = open.get(workspaceId) ?? 0;
      if (count >= limit) {
        throw new AppError("rate_limited", { concurrent_streams: limit }, "The workspace has too many streams open.");
      }
      open.set(workspaceId, count + 1);
      const reserved = new DisposableStack();
      reserved.defer(() => {
        const left = open.get(workspaceId)! - 1;
        if (left > 0) open.set(workspaceId, left);
        else open.delete(workspaceId);
      });
      return reserved;
    },
  };
}
