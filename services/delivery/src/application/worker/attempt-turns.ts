import { createAttemptPlaces } from "../../domain/attempt-places.ts";
import { createDrainPace, type Times } from "../../domain/drain-pace.ts";
import { createSilentStarts } from "../../domain/silent-starts.ts";
import { createWaitingLanes } from "../../domain/waiting-lanes.ts";
import type { EndpointLane } from "./endpoint-lane.ts";

export type TurnLane = Pick<EndpointLane, "workspaceId" | "limit" | "silentRunning">;

/** Decides when lanes may begin attempts. Workspaces share slots and starts, then the lanes of each workspace. */
export interface AttemptTurns<Lane> {
  readonly full: boolean;
  withoutRoom(): string[];
  /** Whether a new delivery may wait in its lane. `mayBeginNew`: whether it may begin at once. */
  hasRoom(lane: Lane): boolean;
  mayBeginNew(lane: Lane): boolean;
  mayBegin(lane: Lane): boolean;
  take(lane: Lane, road: "new" | "waited"): void;
  leave(lane: Lane, answered: boolean): void;
  wait(lane: Lane): void;
  forget(lane: Lane): void;
  serve(): void;
}

export interface AttemptTurnsOptions<Lane> {
  places: number;
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
  const silent = createSilentStarts(times.now);
  const pace = createDrainPace(times);
  const waiting = { answering: createWaitingLanes<Lane>(), silent: createWaitingLanes<Lane>() };
  let timer: NodeJS.Timeout | undefined;
  let servedAt = Number.POSITIVE_INFINITY;

  const hasRoom = ({ workspaceId, limit }: Lane) => places.hasRoom(workspaceId, !limit.sure);
  const mayBeginNew = (lane: Lane) => hasRoom(lane) && (lane.limit.answers || silent.available(lane.workspaceId));
  const mayBegin = (lane: Lane) => mayBeginNew(lane) && (!lane.limit.answers || pace.available(lane.workspaceId));

  function serveAll(): void {
    waiting.answering.serve(places.held, serve);
    waiting.silent.serve(silent.underWay, serve);
  }

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
      if (!lane.limit.answers) {
        lane.silentRunning += 1;
        silent.take(lane.workspaceId);
      }
      if (road === "new") pace.sentAtOnce(lane.workspaceId);
      else pace.take();
    },
    leave(lane, answered) {
      places.giveBack(lane.workspaceId);
      if (lane.silentRunning === 0) return;
      lane.silentRunning -= 1;
      silent.end(lane.workspaceId, answered);
    },
    wait(lane) {
      const { answers } = lane.limit;
      waiting[answers ? "silent" : "answering"].delete(lane);
      waiting[answers ? "answering" : "silent"].add(lane);
      if (hasRoom(lane)) serveIn(answers ? pace.waitMs : silent.waitMs);
    },
    forget(lane) {
      waiting.answering.delete(lane);
      waiting.silent.delete(lane);
    },
    serve: serveAll,
  };
}
