import { Type, type Static, type TObject } from "typebox";
import { Check } from "typebox/schema";
import { ConfigError } from "./config-error.ts";
import { logLevels } from "./logger.ts";
import { metricsEnvironment } from "./metrics.ts";
import { tracingEnvironment } from "./tracing/tracing-environment.ts";

/** A condition on several variables together, or on what a variable refers to. */
export interface ConfigRule<Config> {
  /** The rule applies only if each of these is valid by itself. */
  variables: readonly (keyof Config & string)[];
  /** Throws ConfigError. */
  validate: (config: Config) => unknown;
}

/** Reads the schema's properties from the environment. Throws one ConfigError with every violation, but no value. */
export function readConfig<Schema extends TObject>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
  rules: readonly ConfigRule<Static<Schema>>[] = [],
): Static<Schema> {
  const known = Object.keys(schema.properties);
  // An empty variable counts as absent: compose files and charts set many.
  const given = known.flatMap((name) => {
    const text = environment[name];
    const value = text ? convert(text, schema.properties[name]!) : defaultOf(schema.properties[name]!);
    return value === undefined ? [] : [[name, value] as const];
  });
  const config: Record<string, unknown> = Object.fromEntries(given);
  const faulty = known.filter((name) =>
    name in config ? !Check(schema.properties[name]!, config[name]) : schema.required?.includes(name),
  );
  const sound = rules.filter(({ variables }) => !variables.some((name) => faulty.includes(name)));
  const violations = [
    ...faulty.map(describe(schema, config)),
    ...sound.flatMap((rule) => broken(rule, config as Static<Schema>)),
  ];
  if (violations.length > 0)
    throw new ConfigError(`missing or invalid environment: ${violations.join("; ")}`, { violations });
  return config as Static<Schema>;
}

function broken<Config>({ validate }: ConfigRule<Config>, config: Config): readonly string[] {
  try {
    validate(config);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.violations;
    throw error;
  }
}

/** Converts numbers only. The library could convert, too, but loading that part costs 5 MiB per process. */
function convert(text: string, { type, enum: allowed }: { type?: string; enum?: unknown[] }): string | number {
  const isNumber = type === "integer" || type === "number" || allowed?.every((value) => typeof value === "number");
  return isNumber && decimal.test(text) ? Number(text) : text;
}

const decimal = /^-?\d+(\.\d+)?$/;

function defaultOf({ default: value }: { default?: unknown }): unknown {
  return value;
}

function describe(schema: TObject, given: Record<string, unknown>): (name: string) => string {
  return (name) => {
    const { description, examples } = schema.properties[name] as { description?: string; examples?: string[] };
    const violation = `${name} is ${name in given ? "not valid" : "missing"}`;
    const help = [description, examples && `for example ${examples[0]}`].filter((text) => text !== undefined);
    return help.length > 0 ? `${violation} (${help.join("; ")})` : violation;
  };
}

/** What every process reads, except `NATS_URL`, which is required only in services. */
export const processEnvironment = {
  CANVASS_OPS_HOST: Type.String({ default: "0.0.0.0", description: "address for probes and metrics" }),
  CANVASS_OPS_PORT: Type.Integer({ minimum: 0, maximum: 65535, description: "port for probes and metrics" }),
  CANVASS_DRAIN_DELAY_MS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 60_000,
    description: "how long a process keeps serving after it was asked to stop, while /readyz fails",
  }),
  CANVASS_LOG_LEVEL: Type.Enum(logLevels, {
    default: "info",
    description: `least level of the log: ${logLevels.join(", ")}`,
  }),
  CANVASS_PEER_KEY: Type.String({ minLength: 32, description: "shared by all processes of an installation" }),
  CANVASS_TLS_KEY_FILE: Type.Optional(Type.String({ description: "PEM key of the RPC server" })),
  CANVASS_TLS_CERT_FILE: Type.Optional(Type.String({ description: "PEM certificate of the RPC server" })),
  CANVASS_TLS_CA_FILE: Type.Optional(Type.String({ description: "PEM certificates that sign our processes" })),
  ...metricsEnvironment,
  ...tracingEnvironment,
} as const;

/** Also has what the RPC server of a service reads. `shellEnvironment` of `packages/service` has the rest. */
export const serviceEnvironment = {
  ...processEnvironment,
  CANVASS_RPC_HOST: Type.String({ default: "0.0.0.0", description: "address the RPC server listens on" }),
  CANVASS_RPC_PORT: Type.Integer({ minimum: 0, maximum: 65535, description: "port of the RPC server" }),
  CANVASS_CALLER_PUBLIC_KEY: Type.String({
    minLength: 40,
    description: "Ed25519 key that verifies callers: SPKI DER, base64",
  }),
} as const;
