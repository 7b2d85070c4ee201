import { callsOf } from "./calls-of.ts";
import type { ProcessDefinition } from "./process-definition.ts";

export const addressVariable = <Service extends string>(service: Service) =>
  `CANVASS_${service.toUpperCase()}_URL` as `CANVASS_${Uppercase<Service>}_URL`;

/** Variables of every process. */
export const sharedVariables = {
  secrets: ["CANVASS_PEER_KEY"],
  settings: [
    "CANVASS_OPS_HOST",
    "CANVASS_OPS_PORT",
    "CANVASS_DRAIN_DELAY_MS",
    "CANVASS_LOG_LEVEL",
    "CANVASS_TLS_KEY_FILE",
    "CANVASS_TLS_CERT_FILE",
    "CANVASS_TLS_CA_FILE",
    "NATS_URL",
    "OTEL_METRICS_EXPORTER",
    "OTEL_SDK_DISABLED",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "OTEL_SERVICE_NAME",
    "OTEL_TRACES_SAMPLER",
    "OTEL_TRACES_SAMPLER_ARG",
  ],
};

/** Further variables of every service. */
const serviceVariables = {
  secrets: ["DATABASE_URL", "CANVASS_CURSOR_KEY", "CANVASS_OPERATOR_KEY"],
  settings: [
    "CANVASS_RPC_HOST",
    "CANVASS_RPC_PORT",
    "CANVASS_CALLER_PUBLIC_KEY",
    "CANVASS_DATABASE_POOL",
    "CANVASS_NATS_REPLICAS",
  ],
};

export function variablesOf(definition: ProcessDefinition): {
  secrets: string[];
  addresses: string[];
  settings: string[];
} {
  const { name, secrets = [], settings = [] } = definition;
  const ofKind = name === "gateway" ? { secrets: [], settings: [] } : serviceVariables;
  return {
    secrets: [...sharedVariables.secrets, ...ofKind.secrets, ...secrets],
    addresses: callsOf(definition).map(addressVariable),
    settings: [...sharedVariables.settings, ...ofKind.settings, ...settings],
  };
}
