import { consumersOf } from "@canvass/processes/event-catalogue";
import { EventIntakeService } from "@canvass/proto/events";
import { createRpcClient, type RpcClient, type RpcClientOptions } from "@canvass/rpc";

export type EventIntake = Pick<RpcClient<typeof EventIntakeService>, "handOverEvents">;

/** By the name of the consuming service. */
export type EventIntakes = Readonly<Record<string, EventIntake>>;

export function connectIntakes(
  source: string,
  urlOf: (service: string) => string,
  options: Pick<RpcClientOptions, "peerKey" | "tls" | "metrics">,
): EventIntakes & AsyncDisposable {
  const services = new Set(consumersOf(source).map(({ service }) => service));
  const clients = Object.fromEntries(
    [...services].map((name) => [name, createRpcClient(EventIntakeService, { ...options, name, url: urlOf(name) })]),
  );
  return Object.assign(clients, {
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(clients).map((client) => client[Symbol.asyncDispose]()));
    },
  });
}
