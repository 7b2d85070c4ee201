import { AppError } from "@canvass/errors";

/** Counts what is held in memory for a caller until it has read it. Disposing of the reader releases it. */
export interface ResultReader extends Disposable {
  /** Throws `rate_limited` beyond the workspace's limit, and `service_unavailable` beyond the total limit. */
  hold(length: number): void;
}

export interface ResultReaders {
  enter(workspaceId: string): ResultReader;
}

export interface ResultReaderLimits {
  /** Results of up to this many characters do not count, so that small ones always pass. */
  free: number;
  heldByWorkspace: number;
  held: number;
}

const usualLimits: ResultReaderLimits = {
  free: 64 * 1024,
  heldByWorkspace: 64 * 1024 * 1024,
  held: 256 * 1024 * 1024,
};

/** Limits the memory held for slow readers, so that no workspace uses it up. The largest results are a few MB. */
export function createResultReaders(limits = usualLimits): ResultReaders {
  const workspaces = new Map<string, { readers: number; held: number }>();
  let held = 0;
  return {
    enter(workspaceId) {
      const workspace = workspaces.get(workspaceId) ?? { readers: 0, held: 0 };
      workspaces.set(workspaceId, workspace);
      workspace.readers += 1;
      let kept = 0;
      let counted = 0;
      return {
        hold(added) {
          const sum = kept + added;
          const length = sum <= limits.free ? 0 : sum - counted;
          if (length > 0 && workspace.held + length > limits.heldByWorkspace) {
            const details = { held_characters: limits.heldByWorkspace };
            throw new AppError("rate_limited", details, "The workspace reads too many results at once.");
          }
          if (length > 0 && held + length > limits.held) throw new AppError("service_unavailable");
          kept = sum;
          counted += length;
          workspace.held += length;
          held += length;
        },
        [Symbol.dispose]() {
          held -= counted;
          workspace.held -= counted;
          workspace.readers -= 1;
          if (workspace.readers === 0) workspaces.delete(workspaceId);
        },
      };
    },
  };
}
