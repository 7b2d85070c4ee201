import { OperationalError } from "@canvass/provisioning/operational-error";
import { UnreachableError } from "../errors.ts";
import type { ServiceName } from "./find-service.ts";

/** Undefined if it is no refusal. Recognises errors by shape: their class is generated and may not exist yet. */
export function refusal(
  error: unknown,
  { service, url }: { service: ServiceName; url: string },
): OperationalError | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("details" in error)) return undefined;
  if (isUnauthenticated(error)) {
    return new UnreachableError(`What answers at ${url} is another service, not this version's ${service} service.`);
  }
  switch (error.code) {
    case "service_unavailable":
    case "deadline_exceeded":
      if (hasPart(error.details)) return busy(service, error.details.part);
      return new UnreachableError(`The ${service} service at ${url} cannot be reached${distrust(url)}.`);
    case "unauthorized":
      return new OperationalError(`The ${service} service at ${url} does not accept this operator key.`);
    default:
      return new OperationalError([error.message, ...faultsOf(error.details)].join(" "), { cause: error });
  }
}

/** gRPC's UNIMPLEMENTED. */
const unimplemented = 12;

/** Whether the peer is no service of ours: it does not know the method, or sends errors without our details. */
function isUnauthenticated({ code, cause }: Error & { code?: unknown }): boolean {
  if (code === "internal_error") return cause !== undefined;
  return (cause as { code?: unknown } | undefined)?.code === unimplemented;
}

const hasPart = (details: unknown): details is { part: string } =>
  typeof (details as { part?: unknown } | undefined)?.part === "string";

const busy = (service: ServiceName, part: string) =>
  new UnreachableError(`The ${service} service cannot do this now (${part}); repeat it later.`);

// A missing server and an untrusted certificate look the same here.
function distrust(url: string): string {
  return url.startsWith("https:") ? ", or one side does not trust the other's certificate (CANVASS_TLS_*_FILE)" : "";
}

/** The service's fields are the options' names in another case. */
function faultsOf(details: unknown): string[] {
  return Object.entries(details as Record<string, unknown>).map(([field, faults]) => {
    const text = Array.isArray(faults) ? faults.join(" ") : JSON.stringify(faults);
    return `--${field.replaceAll("_", "-")}: ${text}`;
  });
}
