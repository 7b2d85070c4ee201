import { EventIntakeService } from "@canvass/proto/events";
import { createRpcClient, type RpcClient, type RpcClientOptions } from "@canvass/rpc";
import { consumersOf } from "./catalogue.ts";

export type EventIntake = Pick<RpcClient<typeof EventIntakeService>, "handOverEvents">;

/** Clients to the services that hear a source's events, by service name. */
export type EventIntakes = Readonly<Record<string, EventIntake>>;

/** Connects to every service that awaits events of `source`; `urlOf` gives a service's RPC address. */
export function connectIntakes(
  source: string,
  urlOf: (service: string) => string,
  options: Pick<RpcClientOptions, "peerKey" | "tls">,
): EventIntakes & AsyncDisposable {
  const services = new Set(consumersOf(source).map(({ service }) => service));
  const clients = Object.fromEntries(
    [...services].map((service) => [service, createRpcClient(EventIntakeService, { ...options, url: urlOf(service) })]),
  );
  return Object.assign(clients, {
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(clients).map((client) => client[Symbol.asyncDispose]()));
    },
  });
}
