import { consumersOf } from "@canvass/processes/event-catalogue";
import type { Event } from "@canvass/proto/events";
import type { Logger, Registry } from "@canvass/telemetry";
import type { Pool } from "pg";
import type { Bus } from "./bus.ts";
import { startConfirmations } from "./confirmations.ts";
import type { EventIntakes } from "./connect-intakes.ts";
import { registerLateEvents, registerOutboxMetrics } from "./outbox-metrics.ts";
import { startRelay } from "./relay.ts";
import { startSweep } from "./sweep.ts";

export interface OutboxOptions {
  /** The service whose outbox it is, as the catalogue names it. */
  source: string;
  pool: Pool;
  bus: Bus;
  /** From connectIntakes. */
  intakes: EventIntakes;
  log: Logger;
  metrics: Registry;
  now: () => Date;
  /** Milliseconds after which an unconfirmed event goes by RPC. Default 15,000. */
  unconfirmedAfterMs?: number;
  /** Milliseconds between sweeps for such events. Default 2,000. */
  sweepIntervalMs?: number;
}

export interface Outbox extends AsyncDisposable {
  /** Call it with the events that a commit has just appended: they leave at once. */
  publish(events: readonly Event[]): void;
  /** The same where the events are not at hand: the outbox is read for them. */
  nudge(): void;
}

/**
 * Brings every event of this service's outbox to everybody who awaits it, at least once: by the bus, and by RPC when
 * the bus does not. Throws when no intake is given for a service that awaits events. Disposing finishes the batch
 * under way; what is still in the outbox goes on with the next process.
 */
export function startOutbox(options: OutboxOptions): Outbox {
  const { source, pool, bus, intakes, log, metrics, now } = options;
  const missing = consumersOf(source).find(({ service }) => !intakes[service]);
  if (missing) throw new Error(`no intake for the service ${missing.service}`);
  registerOutboxMetrics(metrics, pool, now);
  const confirmations = startConfirmations({ source, pool, bus, log });
  const onLate = registerLateEvents(metrics);
  const relay = startRelay({ pool, bus, log, now, onLate });
  const sweep = startSweep({
    ...options,
    intervalMs: options.sweepIntervalMs,
    // Without the bus there is no other way, and `canvass_bus_connected` tells.
    onUnpublished: (eventIds) => bus.connected && onLate(eventIds),
  });
  return {
    publish: (events) => relay.publish(events),
    nudge: () => relay.nudge(),
    async [Symbol.asyncDispose]() {
      await Promise.all([relay[Symbol.asyncDispose](), sweep[Symbol.asyncDispose]()]);
      await confirmations[Symbol.asyncDispose]();
    },
  };
}
