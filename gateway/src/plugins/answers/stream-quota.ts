import { AppError } from "@canvass/errors";

/** Bounds the open streams of each workspace. */
export interface StreamQuota {
  /** Reserves a place; disposing returns it. Throws `rate_limited` without a free place. */
  reserve(workspaceId: string): Disposable;
}

/** Each open stream holds a few MiB here and a call to a service. */
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
