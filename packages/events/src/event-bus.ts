import { readTlsFiles, type TlsEnvironment } from "@canvass/rpc/tls-files";
import type { Logger } from "@canvass/telemetry";
import { Type, type Static, type TObject } from "typebox";
import { connectBus, type Bus } from "./bus.ts";

/** Part of the environment schema of services with events. */
export const busEnvironment = {
  NATS_URL: Type.String({ minLength: 1, description: "NATS server" }),
  CANVASS_NATS_REPLICAS: Type.Enum([1, 3, 5], {
    default: 1,
    description: "NATS servers that keep the event stream: 1, 3 or 5",
  }),
} as const;

type BusConfig = Static<TObject<typeof busEnvironment>> & TlsEnvironment;

/** Throws as readTlsFiles does. */
export function openEventBus(config: BusConfig, { name, log }: { name: string; log: Logger }): Bus {
  const stream = { replicas: config.CANVASS_NATS_REPLICAS };
  return connectBus({ url: config.NATS_URL, name, log, tls: readTlsFiles(config), stream });
}
