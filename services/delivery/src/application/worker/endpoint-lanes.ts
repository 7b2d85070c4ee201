import { createBatcher } from "@canvass/rpc";
import type { DeliveryContext } from "../../context.ts";
import type { ClaimedDelivery, EndpointRef } from "../../storage/claimed-delivery.ts";
import type { AttemptRecord } from "../../storage/record-attempts.ts";
import type { AttemptRecorder } from "./attempt-recorder.ts";
import { createAttemptTurns } from "./attempt-turns.ts";
import { createBeginNext } from "./begin-next.ts";
import { createBeginMarks } from "./begin-marks.ts";
import {
  claimRoom,
  drains,
  hasFreePlace,
  isSupplied,
  learn,
  newRoom,
  startTurn,
  type EndpointLane,
} from "./endpoint-lane.ts";
import { isGood, isTooOld, takesDeliveries, type EndpointAnswer, type LookUpEndpoint } from "./endpoint-look-up.ts";
import { createLaneTable, type LaneTable } from "./lane-table.ts";
import { canEndInTime, interruptedAttempt, makeAttempt } from "./make-attempt.ts";
import { release } from "./release.ts";
import { createSpacedStarts } from "./spaced-starts.ts";

export interface EndpointLanesOptions {
  recorder: AttemptRecorder;
  maxRunning: number;
  maxPerEndpoint: number;
  lookUpEndpoint: LookUpEndpoint;
  /** Called when something is or becomes due within `withinMs` (default: at once). */
  onMoreDue: (withinMs?: number) => void;
  onRecorded: () => void;
  onDisable: () => void;
}

export interface EndpointLanes extends Pick<LaneTable, "answerOf" | "busy" | "expectClaim" | "rooms"> {
  /** No attempt or lookup is in flight, so none will set a new due time. */
  readonly idle: boolean;
  readonly full: boolean;
  figures(): { running: number; waiting: number };
  withoutRoom(): string[];
  add(claimed: readonly ClaimedDelivery[], answer: EndpointAnswer): void;
  recordInterrupted(delivery: ClaimedDelivery, attemptedAt: Date): void;
  /** Reserves a slot for a delivery that is about to be queued. `use` must follow. */
  reserve(endpoint: EndpointRef, answer: EndpointAnswer): Place | "none";
  /** Sends or keeps the delivery, or releases its slot if it was not leased. */
  use(delivery: ClaimedDelivery, place: Place, leased: boolean): void;
  /** Starts nothing more, returns waiting deliveries, and waits until the rest is recorded. */
  drain(): Promise<void>;
}

/** `unsent` must be returned to its queue. */
interface Sent {
  record?: AttemptRecord;
  unsent?: ClaimedDelivery;
}

/** `now`: in flight. `next`: waiting in the lane. */
export type Place = "now" | "next";

/** Sending pauses above this many unrecorded attempts. */
export const MAX_UNRECORDED = 5000;
const LIKELY_MORE = 10;
const MAX_RELEASED = 500;
/** Lanes of unresponsive endpoints run low one by one, in hundreds. One claim serves all lanes of this time. */
const SILENT_REFILL_MS = 100;
/** Gap between attempts to unresponsive endpoints. Each TLS handshake uses the CPU for a millisecond or two. */
const SILENT_GAP_MS = 5;
/** How long such an attempt waits for work on new events. */
const SILENT_PATIENCE_MS = 20;

export function createEndpointLanes(context: DeliveryContext, options: EndpointLanesOptions): EndpointLanes {
  const { recorder, lookUpEndpoint, maxRunning, maxPerEndpoint } = options;
  const markBegun = createBeginMarks(context);
  const beginNext = createBeginNext(context);
  const silentTurn = createSpacedStarts(SILENT_GAP_MS, () => context.fresh.letPass(SILENT_PATIENCE_MS));
  const { laneOf, all, ...table } = createLaneTable(maxPerEndpoint);
  const turns = createAttemptTurns<EndpointLane>({ places: maxRunning, serve: pump });
  const tasks = new Set<Promise<void>>();
  // One statement at a time, because hundreds of lanes may return deliveries at once.
  const giveBackOne = createBatcher<ClaimedDelivery, void>({
    maxSize: MAX_RELEASED,
    maxInFlight: 1,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (deliveries) => {
      await release(context, deliveries, 0);
      return deliveries.map(() => undefined);
    },
  });

  /** Returns whether any attempt began. After one to an unresponsive endpoint, other lanes have their turn. */
  function pump(lane: EndpointLane): boolean {
    returnLate(lane);
    if (drains(lane) && isOver(lane)) leaveToClaims(lane);
    let begun = false;
    while (hasNext(lane) && lane.running < lane.limit.current) {
      if (!turns.mayBegin(lane) || (begun && !lane.limit.answers)) {
        turns.wait(lane);
        return begun;
      }
      if (!isGood(lane.answer) || !takesDeliveries(lane.answer.endpoint)) break;
      begin(lane);
      begun = true;
    }
    turns.forget(lane);
    if (hasNext(lane) && lane.running < lane.limit.current) findOut(lane);
    else if (lane.more && !isSupplied(lane)) options.onMoreDue(lane.limit.answers ? 0 : SILENT_REFILL_MS);
    return begun;
  }

  function isOver({ turnEnds }: EndpointLane): boolean {
    return performance.now() >= turnEnds || recorder.pending >= MAX_UNRECORDED;
  }

  function hasNext(lane: EndpointLane): boolean {
    return lane.waiting.length > 0 || drains(lane);
  }

  /** The lane has capacity but may not send: refreshes an expired lookup, or returns waiting deliveries. */
  function findOut(lane: EndpointLane): void {
    if (isGood(lane.answer)) track(returnWaiting(lane));
    else void refresh(lane);
  }

  /** Looks the endpoint up once for all callers, then continues the lane. Never rejects. */
  function refresh(lane: EndpointLane): Promise<void> {
    if (lane.asking === undefined) track((lane.asking = ask(lane)));
    return lane.asking;
  }

  async function ask(lane: EndpointLane): Promise<void> {
    const answer = await lookUpEndpoint(lane).catch(() => undefined);
    lane.asking = undefined;
    if (answer !== undefined) learn(lane, answer);
    // Sends nothing while the webhook service is unavailable. The next claim reports the failure.
    if (isGood(lane.answer)) pump(lane);
    else track(returnWaiting(lane));
  }

  /** The next claim cancels, keeps or sends them. */
  async function returnWaiting(lane: EndpointLane): Promise<void> {
    turns.forget(lane);
    lane.more = false;
    await giveBack(lane.waiting.splice(0));
  }

  function returnLate(lane: EndpointLane): void {
    const [first] = lane.waiting;
    if (first === undefined || canEndInTime(context, first)) return;
    const late = lane.waiting.filter((delivery) => !canEndInTime(context, delivery));
    lane.waiting = lane.waiting.filter((delivery) => canEndInTime(context, delivery));
    track(giveBack(late));
  }

  function track(task: Promise<void>): void {
    const end = () => void tasks.delete(tracked);
    const tracked = task.then(end, (error: unknown) => {
      context.log.error({ err: error }, "an attempt failed unexpectedly");
      end();
    });
    tasks.add(tracked);
  }

  function begin(lane: EndpointLane): void {
    take(lane, "waited");
    const delivery = lane.waiting.shift();
    track(attempt(lane, delivery === undefined ? beginAndSend(lane) : markAndSend(lane, delivery)));
  }

  function take(lane: EndpointLane, road: "new" | "waited"): void {
    turns.take(lane, road);
    context.begun.inc({ road });
    lane.running += 1;
  }

  function leave(lane: EndpointLane, answered: boolean): void {
    turns.leave(lane, answered);
    lane.running -= 1;
  }

  async function attempt(lane: EndpointLane, sending: Promise<Sent>): Promise<void> {
    let sent: Sent = {};
    try {
      sent = await sending;
    } finally {
      leave(lane, sent.record === undefined || sent.record.statusCode !== undefined);
    }
    const { record, unsent } = sent;
    const disable = record?.next.disable;
    // Waiting deliveries are returned, so that the worker can cancel or keep them.
    const dropped = disable === undefined ? [] : lane.waiting.splice(0);
    if (disable !== undefined) lane.more = false;
    pump(lane);
    turns.serve();
    if (unsent !== undefined) await giveBack([unsent]);
    if (record === undefined) return;
    await recorder.record(record);
    options.onRecorded();
    // Otherwise an idle worker would find the new due time only at its next poll.
    const { dueAt } = record.next;
    if (dueAt !== undefined) options.onMoreDue(Math.max(dueAt.getTime() - context.now().getTime(), 0));
    if (disable !== undefined) options.onDisable();
    if (dropped.length > 0) await giveBack(dropped);
  }

  async function giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await Promise.all(deliveries.map(giveBackOne));
    options.onMoreDue();
  }

  async function markAndSend(lane: EndpointLane, delivery: ClaimedDelivery): Promise<Sent> {
    if (!canEndInTime(context, delivery)) return { unsent: delivery };
    const duePlace = await markBegun(delivery);
    if (duePlace === undefined) return { unsent: delivery };
    delivery.duePlace = duePlace;
    if (!lane.limit.answers) await silentTurn();
    return send(lane, delivery);
  }

  async function beginAndSend(lane: EndpointLane): Promise<Sent> {
    const delivery = await beginNext(lane);
    if (delivery === undefined) {
      leaveToClaims(lane);
      return {};
    }
    const { interruptedAt } = delivery;
    if (interruptedAt === undefined) return send(lane, delivery);
    recordInterrupted(delivery, interruptedAt);
    return {};
  }

  function leaveToClaims(lane: EndpointLane): void {
    if (!lane.more) return;
    lane.more = false;
    options.onMoreDue();
  }

  function recordInterrupted(delivery: ClaimedDelivery, attemptedAt: Date): void {
    const record = interruptedAttempt(context, delivery, attemptedAt);
    track(recorder.record(record).then(() => options.onMoreDue()));
  }

  async function send(lane: EndpointLane, delivery: ClaimedDelivery): Promise<Sent> {
    // The lookup may have expired while the mark waited for the database.
    if (!isGood(lane.answer)) await refresh(lane);
    const { answer } = lane;
    if (!isGood(answer) || !takesDeliveries(answer.endpoint) || !canEndInTime(context, delivery)) {
      return { unsent: delivery };
    }
    if (isTooOld(delivery, answer.endpoint)) {
      lane.more = false;
      return { unsent: delivery };
    }
    const record = await makeAttempt(context, answer.endpoint, delivery);
    lane.limit.observe(record.durationMs, record.statusCode !== undefined);
    return { record };
  }

  return {
    ...table,
    recordInterrupted,
    get idle() {
      return tasks.size === 0;
    },
    get full() {
      return turns.full;
    },
    figures() {
      let [running, waiting] = [0, 0];
      for (const lane of all()) {
        running += lane.running;
        waiting += lane.waiting.length;
      }
      return { running, waiting };
    },
    withoutRoom: () => turns.withoutRoom(),
    add(claimed, answer) {
      const lane = laneOf(claimed[0]!);
      // The capacity can only have grown since the claim.
      if (claimed.length >= Math.min(claimRoom(lane), LIKELY_MORE)) startTurn(lane);
      else lane.more = false;
      learn(lane, answer);
      lane.waiting.push(...claimed);
      pump(lane);
    },
    reserve(ref, answer) {
      if (!takesDeliveries(answer.endpoint) || recorder.pending >= MAX_UNRECORDED) return "none";
      const lane = laneOf(ref);
      learn(lane, answer);
      if (!turns.hasRoom(lane) || lane.more || newRoom(lane) === 0) return "none";
      if (hasFreePlace(lane) && turns.mayBeginNew(lane)) {
        take(lane, "new");
        return "now";
      }
      lane.reserved += 1;
      return "next";
    },
    use(delivery, place, leased) {
      const lane = laneOf(delivery);
      if (place === "next") lane.reserved -= 1;
      if (place === "next" && leased) lane.waiting.push(delivery);
      if (place === "now" && leased) return track(attempt(lane, send(lane, delivery)));
      if (place === "now") leave(lane, true);
      pump(lane);
      turns.serve();
    },
    async drain() {
      for (const lane of all()) lane.more = false;
      const waiting = [...all()].flatMap((lane) => lane.waiting.splice(0));
      await release(context, waiting, 0);
      await Promise.all(tasks);
    },
  };
}
