import { createAttemptPlaces } from "../domain/attempt-places.ts";
import { createDrainPace, type Times } from "../domain/drain-pace.ts";
import { createUnsureStarts } from "../domain/unsure-starts.ts";
import { createWaitingLanes } from "../domain/waiting-lanes.ts";
import type { EndpointLane } from "./endpoint-lane.ts";

export type TurnLane = Pick<EndpointLane, "workspaceId" | "limit" | "unsureRunning">;

/** Decides when lanes may begin attempts: workspaces share places and starts first, lanes within them. */
export interface AttemptTurns<Lane> {
  readonly full: boolean;
  withoutRoom(): string[];
  /** For a delivery that is being queued: whether it may begin right after, or wait in its lane. */
  hasRoom(lane: Lane): boolean;
  mayBeginNew(lane: Lane): boolean;
  /** For one that waits in its lane. */
  mayBegin(lane: Lane): boolean;
  take(lane: Lane, road: "new" | "waited"): void;
  /** Without an answer, one to an unsure endpoint costs a start. */
  leave(lane: Lane, answered: boolean): void;
  /** Serves the lane when its turn comes. */
  wait(lane: Lane): void;
  forget(lane: Lane): void;
  serve(): void;
}

export interface AttemptTurnsOptions<Lane> {
  /** Attempts under way at once. */
  places: number;
  /** Begins attempts of a lane; returns whether any began. */
  serve: (lane: Lane) => boolean;
  times?: Times;
}

const ownTimes: Times = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
};

export function createAttemptTurns<Lane extends TurnLane>(options: AttemptTurnsOptions<Lane>): AttemptTurns<Lane> {
  const { serve, times = ownTimes } = options;
  const places = createAttemptPlaces(options.places);
  const unsure = createUnsureStarts(times.now);
  const pace = createDrainPace(times);
  const waiting = { sure: createWaitingLanes<Lane>(), unsure: createWaitingLanes<Lane>() };
  let timer: NodeJS.Timeout | undefined;
  let servedAt = Number.POSITIVE_INFINITY;

  const hasRoom = ({ workspaceId, limit }: Lane) => places.hasRoom(workspaceId, !limit.sure);
  const mayBeginNew = (lane: Lane) => hasRoom(lane) && (lane.limit.sure || unsure.available(lane.workspaceId));
  const mayBegin = (lane: Lane) => mayBeginNew(lane) && (!lane.limit.sure || pace.available(lane.workspaceId));

  function serveAll(): void {
    waiting.sure.serve(places.held, serve);
    waiting.unsure.serve(unsure.underWay, serve);
  }

  /** For lanes that have room and wait for time to pass. */
  function serveIn(ms: number): void {
    const at = times.now() + ms;
    if (at >= servedAt) return;
    clearTimeout(timer);
    servedAt = at;
    timer = setTimeout(
      () => {
        servedAt = Number.POSITIVE_INFINITY;
        serveAll();
      },
      Math.max(Math.ceil(ms), 1),
    );
  }

  return {
    get full() {
      return places.full;
    },
    withoutRoom: () => places.withoutRoom(),
    hasRoom,
    mayBeginNew,
    mayBegin,
    take(lane, road) {
      places.take(lane.workspaceId);
      if (!lane.limit.sure) {
        lane.unsureRunning += 1;
        unsure.take(lane.workspaceId);
      }
      if (road === "new") pace.sentAtOnce(lane.workspaceId);
      else pace.take();
    },
    leave(lane, answered) {
      places.giveBack(lane.workspaceId);
      if (lane.unsureRunning === 0) return;
      lane.unsureRunning -= 1;
      unsure.end(lane.workspaceId, answered);
    },
    wait(lane) {
      const { sure } = lane.limit;
      waiting[sure ? "unsure" : "sure"].delete(lane);
      waiting[sure ? "sure" : "unsure"].add(lane);
      if (hasRoom(lane)) serveIn(sure ? pace.waitMs : unsure.waitMs);
    },
    forget(lane) {
      waiting.sure.delete(lane);
      waiting.unsure.delete(lane);
    },
    serve: serveAll,
  };
}
