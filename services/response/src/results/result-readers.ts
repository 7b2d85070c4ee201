import { AppError } from "@canvass/errors";

/** One that asked for results and has not got all of them yet. Disposing gives back what it holds. */
export interface ResultReader extends Disposable {
  /** Counts what is kept until it is read, unless it is little. Throws `service_unavailable` beyond what may be kept. */
  hold(length: number): void;
}

export interface ResultReaders {
  enter(workspaceId: string): ResultReader;
}

export interface ResultReaderLimits {
  /** Characters of one reader that do not count: they go on however much others keep. */
  free: number;
  /** Characters kept for all readers of a workspace, and for those of all. */
  heldByWorkspace: number;
  held: number;
}

const usualLimits: ResultReaderLimits = {
  free: 64 * 1024,
  heldByWorkspace: 64 * 1024 * 1024,
  held: 256 * 1024 * 1024,
};

/**
 * Keeps readers of results from each other. The largest survey's results are a few megabytes: who reads many of them
 * slowly is refused more, and nobody else is.
 */
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
          const isFull = workspace.held + length > limits.heldByWorkspace || held + length > limits.held;
          if (length > 0 && isFull) throw new AppError("service_unavailable");
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
