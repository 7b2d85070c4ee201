import { Type, type Static, type TObject } from "typebox";

/** OpenTelemetry's variables that every process reads. The exporter reads others itself (headers, timeout). */
export const tracingEnvironment = {
  OTEL_SDK_DISABLED: Type.Enum(["true", "false"], { default: "false", description: "`true`: no traces" }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: "^https?://",
      description:
        "collector that takes traces by OTLP over HTTP, as `http://collector:4318`; without it there are none",
    }),
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: Type.Enum(["http/protobuf"], {
    default: "http/protobuf",
    description: "how traces are sent: `http/protobuf`",
  }),
  OTEL_SERVICE_NAME: Type.Optional(
    Type.String({ minLength: 1, description: "name of this process in traces; by default its own" }),
  ),
  OTEL_TRACES_SAMPLER: Type.Enum(
    [
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ],
    {
      default: "parentbased_traceidratio",
      description: "which requests the gateway traces; services follow it, so `parentbased_` changes nothing",
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 0.01,
    minimum: 0,
    maximum: 1,
    description: "share of the requests that `traceidratio` traces",
  }),
} as const;

export type TracingConfig = Static<TObject<typeof tracingEnvironment>>;
