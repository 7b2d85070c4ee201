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
  source: string;
  pool: Pool;
  bus: Bus;
  intakes: EventIntakes;
  log: Logger;
  metrics: Registry;
  now: () => Date;
  /** Milliseconds after which an unconfirmed event is sent by RPC. Default 15,000. */
  unconfirmedAfterMs?: number;
  /** Milliseconds between checks for such events. Default 2,000. */
  sweepIntervalMs?: number;
}

export interface Outbox extends AsyncDisposable {
  /** Publishes events that a commit has just appended, without reading the outbox. */
  publish(events: readonly Event[]): void;
  /** Makes the relay read the outbox, for callers that do not have the events. */
  nudge(): void;
}

/** Delivers every event to each consumer at least once: by the bus, or else by RPC. Throws if an intake is missing. */
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
    // While the bus is down, RPC is the normal route; `canvass_bus_connected` reports it.
    onUnpublished: (eventIds) => bus.connected && onLate(eventIds),
  });
  return {
    publish: relay.publish,
    nudge: () => relay.nudge(),
    async [Symbol.asyncDispose]() {
      await Promise.all([relay[Symbol.asyncDispose](), sweep[Symbol.asyncDispose]()]);
      await confirmations[Symbol.asyncDispose]();
    },
  };
}
