import type { Logger } from "@canvass/telemetry";
import {
  DiscardPolicy,
  nanos,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
  NatsError,
} from "nats";

export const EVENT_STREAM = "canvass-events";

export interface StreamSettings {
  replicas: 1 | 3 | 5;
  /** A full stream refuses new messages; their events stay in the outbox. Default 1 GiB. */
  maxBytes?: number;
  /** Milliseconds after which a message is deleted, consumed or not. Default ten minutes. */
  maxAgeMs?: number;
}

const UNCHANGEABLE: ReadonlySet<string> = new Set(["storage", "retention"]);
const DEDUPE_WINDOW_MS = 120_000;

/** For consumers. Only sources repair the stream, so that processes with different settings do not undo each other. */
export async function createStreamIfMissing(jsm: JetStreamManager, settings: StreamSettings): Promise<StreamInfo> {
  const current = await jsm.streams.info(EVENT_STREAM).catch(undefinedIfNotFound);
  return current ?? jsm.streams.add(streamConfig(settings));
}

/** Creates or repairs the stream. Recreating it loses no event: unconfirmed ones are still in an outbox. */
export async function ensureStream(jsm: JetStreamManager, settings: StreamSettings, log: Logger): Promise<StreamInfo> {
  const wanted = streamConfig(settings);
  const current = await createStreamIfMissing(jsm, settings);
  if (settings.replicas > 1 && !current.cluster) {
    // A standalone 2.9 server accepts replicas, then loses the stream when it restarts.
    log.error({ stream: EVENT_STREAM, replicas: settings.replicas }, "replicas need a cluster of NATS servers");
    wanted.num_replicas = current.config.num_replicas;
  }
  const wrong = differences(current.config, wanted);
  if (wrong.length === 0) return current;
  log.warn({ stream: EVENT_STREAM, wrong }, "the event stream was changed; repairing it");
  if (wrong.some((name) => UNCHANGEABLE.has(name))) {
    await jsm.streams.delete(EVENT_STREAM);
    return jsm.streams.add(wanted);
  }
  return jsm.streams.update(EVENT_STREAM, { ...current.config, ...wanted }).catch((error: unknown) => {
    log.error({ err: error, stream: EVENT_STREAM, wrong }, "the event stream could not be repaired");
    return current;
  });
}

type WantedStream = Partial<StreamConfig> & { name: string };

/** Only settings that nats-server 2.9 knows: it silently drops others. */
function streamConfig({ replicas, maxBytes = 2 ** 30, maxAgeMs = 600_000 }: StreamSettings): WantedStream {
  return {
    name: EVENT_STREAM,
    subjects: ["canvass.events.>"],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    duplicate_window: nanos(Math.min(DEDUPE_WINDOW_MS, maxAgeMs)),
    num_replicas: replicas,
  };
}

export function differences<Config extends object>(current: Config, wanted: Partial<Config>): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(current[name as keyof Config]) !== JSON.stringify(value))
    .map(([name]) => name);
}

export function undefinedIfNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}

function isNotFound(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.code === 404;
}
