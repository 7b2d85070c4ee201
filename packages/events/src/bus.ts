import type { EventType } from "@canvass/processes/event-catalogue";
import type { Logger } from "@canvass/telemetry";
import { connect, Events, type NatsConnection, type Subscription } from "nats";
import { setTimeout as delay } from "node:timers/promises";
import { backOffMs } from "@canvass/jobs";
import { natsOptions, type BusTls, type OnServerCertificate } from "./nats-options.ts";
import type { StreamSettings } from "./streams.ts";

export interface BusOptions {
  url: string;
  name: string;
  log: Logger;
  tls?: BusTls | undefined;
  onServerCertificate?: OnServerCertificate;
  /** Settings of the event stream; the same in every process. Default: one replica. */
  stream?: StreamSettings | undefined;
}

export type HandleMessage = (bytes: Uint8Array) => unknown;

export interface Bus extends AsyncDisposable {
  readonly connected: boolean;
  readonly stream: StreamSettings;
  /** Publishes to current subscribers. Never throws; drops the message while disconnected. */
  notify(subject: string, bytes: Uint8Array): void;
  /** Subscribes until disposed, across reconnects. Members of a `queue` group share the messages. */
  listen(subject: string, handle: HandleMessage, options?: { queue?: string }): Disposable;
  /** Calls `connected` after each connection and reconnection. */
  onConnected(connected: () => void): Disposable;
  /** Resolves to undefined if `signal` aborts or the bus is disposed first. */
  whenConnected(signal: AbortSignal): Promise<NatsConnection | undefined>;
}

/** The stream stores everything below `canvass.events`. */
export const eventSubject = (type: EventType): string => `canvass.events.${type}`;

export const noticeSubject = (type: EventType): string => `canvass.notices.${type}`;

export const confirmSubject = (source: string): string => `canvass.confirm.${source}`;

const away = "the event bus is away; events take the slow path meanwhile";

interface Listener {
  subject: string;
  handle: HandleMessage;
  queue: string | undefined;
  subscription?: Subscription;
}

/** Connects and reconnects in the background; an unreachable server is not an error for the caller. */
export function connectBus(given: BusOptions): Bus {
  const { url, name, log, stream = { replicas: 1 } } = given;
  const options = natsOptions(url, name, given.tls, given.onServerCertificate);
  const stopping = new AbortController();
  const listeners = new Set<Listener>();
  const waiting = new Set<() => void>();
  const watching = new Set<() => void>();
  let connection: NatsConnection | undefined;
  let up = false;

  async function keepConnected(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      try {
        const fresh = await connect(options);
        failures = 0;
        await use(fresh);
      } catch (error) {
        failures += 1;
        // The first attempt of a busy, just started process may fail, so warn at the second.
        if (failures === 2) log.warn({ err: error }, away);
      }
      if (!stopping.signal.aborted) await pause(backOffMs(failures + 1, 2000), stopping.signal);
    }
  }

  async function use(fresh: NatsConnection): Promise<void> {
    connection = fresh;
    for (const listener of listeners) subscribe(fresh, listener);
    const stop = () => void close(fresh);
    if (stopping.signal.aborted) stop();
    stopping.signal.addEventListener("abort", stop);
    // Not awaited: the status iterator does not end with the connection.
    void watch(fresh);
    void cameUp(fresh);
    await fresh.closed();
    stopping.signal.removeEventListener("abort", stop);
    up = false;
  }

  async function watch(fresh: NatsConnection): Promise<void> {
    for await (const { type } of fresh.status()) {
      if (type === Events.Reconnect) void cameUp(fresh);
      if (type !== Events.Disconnect || !up) continue;
      up = false;
      if (!stopping.signal.aborted) log.warn(away);
    }
  }

  /** Sets `up` after the server has the subscriptions. Never rejects. */
  async function cameUp(fresh: NatsConnection): Promise<void> {
    try {
      await fresh.flush();
    } catch {
      return;
    }
    if (fresh.isClosed()) return;
    up = true;
    log.info("the event bus is connected");
    for (const notice of [...waiting, ...watching]) notice();
  }

  function subscribe(on: NatsConnection, listener: Listener): void {
    const { subject, handle, queue } = listener;
    listener.subscription = on.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error) log.error({ err: error, subject }, "a subscription was refused");
        else void handleSafely(handle, message.data, subject);
      },
    });
  }

  async function handleSafely(handle: HandleMessage, bytes: Uint8Array, subject: string): Promise<void> {
    try {
      await handle(bytes);
    } catch (error) {
      log.error({ err: error, subject }, "a message on the bus was not understood");
    }
  }

  const isUp = () => up;
  const keeping = keepConnected();
  return {
    stream,
    get connected() {
      return up;
    },
    notify(subject, bytes) {
      if (up && connection && !connection.isClosed()) connection.publish(subject, bytes);
    },
    listen(subject, handle, { queue } = {}) {
      const listener: Listener = { subject, handle, queue };
      listeners.add(listener);
      if (connection && !connection.isClosed()) subscribe(connection, listener);
      return {
        [Symbol.dispose]() {
          listeners.delete(listener);
          listener.subscription?.unsubscribe();
        },
      };
    },
    onConnected(connected) {
      watching.add(connected);
      return { [Symbol.dispose]: () => void watching.delete(connected) };
    },
    async whenConnected(signal) {
      if (up && !signal.aborted) return connection;
      const given = AbortSignal.any([signal, stopping.signal]);
      while (!isUp() && !given.aborted) await nextChange(waiting, given);
      return given.aborted ? undefined : connection;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await keeping;
    },
  };
}

async function close(connection: NatsConnection): Promise<void> {
  await Promise.race([connection.flush().catch(() => undefined), delay(1000)]);
  await connection.close();
}

function nextChange(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      waiting.delete(done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    waiting.add(done);
    signal.addEventListener("abort", done);
  });
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
