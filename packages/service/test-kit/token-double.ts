import { AppError } from "@canvass/errors";
import type { Event } from "@canvass/proto/events";
import { TokenService } from "@canvass/proto/token";
import { startDouble } from "./double.ts";

/** Starts a token service double that returns pending plan changes. */
export async function startTokenDouble() {
  const state = {
    pending: [] as Event[],
    /** If true, every call fails as if the service were unavailable. */
    away: false,
    refusals: 0,
    asked: 0,
  };
  const server = await startDouble((router) => {
    router.service(TokenService, {
      batchGetPendingPlanChanges: async ({ workspaceIds }) => {
        if (state.away) {
          state.refusals += 1;
          throw new AppError("service_unavailable");
        }
        state.asked += 1;
        return { events: state.pending.filter(({ workspaceId }) => workspaceIds.includes(workspaceId)) };
      },
    });
  });
  return Object.assign(state, { url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}
