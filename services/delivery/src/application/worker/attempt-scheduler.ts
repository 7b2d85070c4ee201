import { createAttemptSlots } from "../../domain/attempt-slots.ts";
import { createDrainThrottle, type Times } from "../../domain/drain-throttle.ts";
import { createUnresponsiveStarts } from "../../domain/unresponsive-starts.ts";
import { createWaitingQueues } from "../../domain/waiting-queues.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";

export type ScheduledQueue = Pick<EndpointQueue, "workspaceId" | "limit" | "unresponsiveRunning">;

/** Decides when queues may begin attempts. Slots and starts are shared first by workspaces, then by their queues. */
export interface AttemptScheduler<Queue> {
  readonly full: boolean;
  /** Workspaces without a free slot. */
  withoutCapacity(): string[];
  /** Whether a delivery that is being queued may begin at once. */
  mayBeginNew(queue: Queue): boolean;
  mayBegin(queue: Queue): boolean;
  take(queue: Queue, via: "new" | "waited"): void;
  /** Without a response, an attempt to an unresponsive endpoint uses up a start. */
  leave(queue: Queue, responded: boolean): void;
  wait(queue: Queue): void;
  forget(queue: Queue): void;
  /** Serves the queues that wait. `next` joins them first, as the last of its workspace. */
  serve(next?: Queue): void;
}

export interface AttemptSchedulerOptions<Queue> {
  slots: number;
  /** Returns whether any attempt began. */
  serve: (queue: Queue) => boolean;
  times?: Times;
}

const ownTimes: Times = {
  now: () => performance.now(),
  busy: () => performance.eventLoopUtilization().active,
};

export function createAttemptScheduler<Queue extends ScheduledQueue>(
  options: AttemptSchedulerOptions<Queue>,
): AttemptScheduler<Queue> {
  const { serve, times = ownTimes } = options;
  const slots = createAttemptSlots(options.slots);
  const unresponsive = createUnresponsiveStarts(times.now);
  const throttle = createDrainThrottle(times);
  const waiting = { responsive: createWaitingQueues<Queue>(), unresponsive: createWaitingQueues<Queue>() };
  let timer: NodeJS.Timeout | undefined;
  let servedAt = Number.POSITIVE_INFINITY;

  const hasCapacity = ({ workspaceId, limit }: Queue) => slots.hasCapacity(workspaceId, !limit.quick);
  const mayBeginNew = (queue: Queue) =>
    hasCapacity(queue) && (queue.limit.responds || unresponsive.available(queue.workspaceId));
  const mayBegin = (queue: Queue) =>
    mayBeginNew(queue) && (!queue.limit.responds || throttle.available(queue.workspaceId));

  function add(queue: Queue): void {
    const { responds } = queue.limit;
    waiting[responds ? "unresponsive" : "responsive"].delete(queue);
    waiting[responds ? "responsive" : "unresponsive"].add(queue);
  }

  function serveAll(): void {
    waiting.responsive.serve(slots.held, serve);
    waiting.unresponsive.serve(unresponsive.running, serve);
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
      return slots.full;
    },
    withoutCapacity: () => slots.withoutCapacity(),
    mayBeginNew,
    mayBegin,
    take(queue, via) {
      slots.take(queue.workspaceId);
      if (!queue.limit.responds) {
        queue.unresponsiveRunning += 1;
        unresponsive.take(queue.workspaceId);
      }
      if (via === "new") throttle.sentAtOnce(queue.workspaceId);
      else throttle.take();
    },
    leave(queue, responded) {
      slots.release(queue.workspaceId);
      if (queue.unresponsiveRunning === 0) return;
      queue.unresponsiveRunning -= 1;
      unresponsive.end(queue.workspaceId, responded);
    },
    wait(queue) {
      const { responds } = queue.limit;
      add(queue);
      if (hasCapacity(queue)) serveIn(responds ? throttle.waitMs : unresponsive.waitMs);
    },
    forget(queue) {
      waiting.responsive.delete(queue);
      waiting.unresponsive.delete(queue);
    },
    serve(next) {
      if (next) add(next);
      serveAll();
    },
  };
}
