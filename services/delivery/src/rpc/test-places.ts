import { AppError } from "@canvass/errors";

/** Limits concurrent tests, because each may wait ten seconds for a receiver. */
export interface TestPlaces {
  use<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result>;
}

export function createTestPlaces({ perWorkspace = 3, together = 200 } = {}): TestPlaces {
  const running = new Map<string, number>();
  let all = 0;

  function change(workspaceId: string, by: number): void {
    const own = (running.get(workspaceId) ?? 0) + by;
    if (own === 0) running.delete(workspaceId);
    else running.set(workspaceId, own);
    all += by;
  }

  return {
    async use(workspaceId, work) {
      if ((running.get(workspaceId) ?? 0) >= perWorkspace) {
        throw new AppError(
          "rate_limited",
          { concurrent_tests: perWorkspace },
          "The workspace has too many tests under way.",
        );
      }
      if (all >= together) throw new AppError("service_unavailable");
      change(workspaceId, 1);
      try {
        return await work();
      } finally {
        change(workspaceId, -1);
      }
    },
  };
}
