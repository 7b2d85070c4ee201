import { typesConsumedBy, type EventType } from "@canvass/processes/event-catalogue";
import { measuredGauge, type Registry, type Sample } from "@canvass/telemetry";
import type { Bus } from "./bus.ts";
import { durableName } from "./durable-consumers.ts";
import { undefinedIfNotFound, EVENT_STREAM } from "./streams.ts";

const lagEveryMs = 2_000;

export function registerBusMetrics(metrics: Registry, bus: Pick<Bus, "connected">): void {
  measuredGauge(metrics, {
    name: "canvass_bus_connected",
    help: "1 while the event bus is connected; without it events take the slow path",
    measure: () => (bus.connected ? 1 : 0),
  });
}

/** Reports the lag of this process's consumers. No samples while the bus is down. */
export function registerConsumerLag(metrics: Registry, bus: Bus, consumers: readonly string[]): void {
  const pairs = consumers.flatMap((consumer) => typesConsumedBy(consumer).map((type) => ({ consumer, type })));
  measuredGauge(metrics, {
    name: "canvass_consumer_messages_waiting",
    help: "Messages on the bus that a consumer has not acknowledged, each with up to a hundred events",
    labelNames: ["consumer", "event_type"],
    everyMs: lagEveryMs,
    measure: async () => (bus.connected ? lags(bus, pairs) : []),
  });
}

async function lags(bus: Bus, pairs: readonly { consumer: string; type: EventType }[]): Promise<Sample[]> {
  const connection = await bus.whenConnected(AbortSignal.timeout(lagEveryMs));
  if (!connection) return [];
  const jsm = await connection.jetstreamManager({ checkAPI: false });
  const found = pairs.map(async ({ consumer, type }) => {
    const info = await jsm.consumers.info(EVENT_STREAM, durableName(consumer, type)).catch(undefinedIfNotFound);
    return { labels: { consumer, event_type: type }, value: info ? info.num_pending + info.num_ack_pending : 0 };
  });
  return Promise.all(found);
}
