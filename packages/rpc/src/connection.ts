import type { Client } from "@grpc/grpc-js";

export interface Connection extends Disposable {
  readonly channel: Client;
  /** Later calls use a new connection, at most one per second; in-flight calls end on the old one. */
  leave(): void;
}

const leastMsBetween = 1_000;
/** Longer than any call takes. */
const lingerMs = 120_000;

export function keepConnection(open: () => Client): Connection {
  let channel = open();
  let leftAt = Number.NEGATIVE_INFINITY;
  const left = new Map<Client, NodeJS.Timeout>();
  return {
    get channel() {
      return channel;
    },
    leave() {
      if (performance.now() - leftAt < leastMsBetween) return;
      const old = channel;
      left.set(old, setTimeout(() => close(old), lingerMs).unref());
      channel = open();
      leftAt = performance.now();
    },
    [Symbol.dispose]() {
      channel.close();
      left.forEach((_timer, old) => close(old));
    },
  };

  function close(old: Client): void {
    clearTimeout(left.get(old));
    left.delete(old);
    old.close();
  }
}
