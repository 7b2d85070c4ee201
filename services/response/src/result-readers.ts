import { AppError } from "@canvass/errors";

/** One that asked for results and has not got all of them yet. Disposing gives back what it holds. */
export interface ResultReader extends Disposable {
  /** Counts what is kept until it is read. Throws `service_unavailable` beyond what may be kept. */
  hold(length: number): void;
}

export interface ResultReaders {
  enter(workspaceId: string): ResultReader;
}

export interface ResultReaderLimits {
  /** Characters kept for all readers of a workspace, and for those of all. */
  heldByWorkspace: number;
  held: number;
}

const usualLimits: ResultReaderLimits = { heldByWorkspace: 64 * 1024 * 1024, held: 256 * 1024 * 1024 };

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
      let own = 0;
      return {
        hold(length) {
          if (workspace.held + length > limits.heldByWorkspace || held + length > limits.held) {
            throw new AppError("service_unavailable");
          }
          own += length;
          workspace.held += length;
          held += length;
        },
        [Symbol.dispose]() {
          held -= own;
          workspace.held -= own;
          workspace.readers -= 1;
          if (workspace.readers === 0) workspaces.delete(workspaceId);
        },
      };
    },
  };
}
