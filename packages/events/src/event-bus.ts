import { readTlsFiles, type TlsEnvironment } from "@canvass/rpc/tls-files";
import { Type, type Static, type TObject } from "typebox";
import { connectBus, type Bus, type BusOptions } from "./bus.ts";

export const busEnvironment = {
  NATS_URL: Type.String({ minLength: 1, description: "NATS server" }),
  CANVASS_NATS_REPLICAS: Type.Enum([1, 3, 5], {
    default: 1,
    description: "NATS servers that keep the event stream: 1, 3 or 5",
  }),
} as const;

type BusConfig = Static<TObject<typeof busEnvironment>> & TlsEnvironment;

export function openEventBus(
  config: BusConfig,
  options: Pick<BusOptions, "name" | "log" | "onServerCertificate">,
): Bus {
  const stream = { replicas: config.CANVASS_NATS_REPLICAS };
  return connectBus({ ...options, url: config.NATS_URL, tls: readTlsFiles(config), stream });
}
