import { createAttemptPlaces } from "../../domain/attempt-places.ts";
import { createDrainPace, type Times } from "../../domain/drain-pace.ts";
import { createUnresponsiveStarts } from "../../domain/unresponsive-starts.ts";
import { createWaitingQueues } from "../../domain/waiting-queues.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";

export type TurnQueue = Pick<EndpointQueue, "workspaceId" | "limit" | "silentRunning">;

/** Decides when queues may begin attempts. Slots and starts are shared first by workspaces, then by their queues. */
export interface AttemptTurns<Queue> {
  readonly full: boolean;
  withoutRoom(): string[];
  /** Whether a delivery that is being queued may begin at once. */
  mayBeginNew(queue: Queue): boolean;
  mayBegin(queue: Queue): boolean;
  take(queue: Queue, road: "new" | "waited"): void;
  /** Without a response, an attempt to an unresponsive endpoint uses up a start. */
  leave(queue: Queue, answered: boolean): void;
  wait(queue: Queue): void;
  forget(queue: Queue): void;
  /** Serves all that wait; `next` waits, too, behind the others of its workspace. */
  serve(next?: Queue): void;
}

export interface AttemptTurnsOptions<Queue> {
  places: number;
  /** Returns whether any attempt began. */
  serve: (queue: Queue) => boolean;
  times?: Times;
}

const ownTimes: Times = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
};

export function createAttemptTurns<Queue extends TurnQueue>(options: AttemptTurnsOptions<Queue>): AttemptTurns<Queue> {
  const { serve, times = ownTimes } = options;
  const places = createAttemptPlaces(options.places);
  const silent = createUnresponsiveStarts(times.now);
  const pace = createDrainPace(times);
  const waiting = { answering: createWaitingQueues<Queue>(), silent: createWaitingQueues<Queue>() };
  let timer: NodeJS.Timeout | undefined;
  let servedAt = Number.POSITIVE_INFINITY;

  const hasRoom = ({ workspaceId, limit }: Queue) => places.hasRoom(workspaceId, !limit.quick);
  const mayBeginNew = (queue: Queue) => hasRoom(queue) && (queue.limit.responds || silent.available(queue.workspaceId));
  const mayBegin = (queue: Queue) => mayBeginNew(queue) && (!queue.limit.responds || pace.available(queue.workspaceId));

  function add(queue: Queue): void {
    const { responds } = queue.limit;
    waiting[responds ? "silent" : "answering"].delete(queue);
    waiting[responds ? "answering" : "silent"].add(queue);
  }

  function serveAll(): void {
    waiting.answering.serve(places.held, serve);
    waiting.silent.serve(silent.running, serve);
  }

  /** Serves later the queues that have capacity and only wait for time to pass. */
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
    mayBeginNew,
    mayBegin,
    take(queue, road) {
      places.take(queue.workspaceId);
      if (!queue.limit.responds) {
        queue.silentRunning += 1;
        silent.take(queue.workspaceId);
      }
      if (road === "new") pace.sentAtOnce(queue.workspaceId);
      else pace.take();
    },
    leave(queue, answered) {
      places.giveBack(queue.workspaceId);
      if (queue.silentRunning === 0) return;
      queue.silentRunning -= 1;
      silent.end(queue.workspaceId, answered);
    },
    wait(queue) {
      const { responds } = queue.limit;
      add(queue);
      if (hasRoom(queue)) serveIn(responds ? pace.waitMs : silent.waitMs);
    },
    forget(queue) {
      waiting.answering.delete(queue);
      waiting.silent.delete(queue);
    },
    serve(next) {
      if (next) add(next);
      serveAll();
    },
  };
}
