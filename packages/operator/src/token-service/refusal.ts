import { UnreachableError } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning/operational-error";
import type { ServiceName } from "./find-service.ts";

/**
 * Converts a refusal of a service to an OperationalError; undefined for other errors. Recognizes refusals by fields,
 * because this package does not depend on `@canvass/errors`.
 */
export function refusal(
  error: unknown,
  { service, url }: { service: ServiceName; url: string },
): OperationalError | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("details" in error)) return undefined;
  if (isForeignService(error)) {
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

const unimplemented = 12;

/** True if the peer is no Canvass service: it does not know the method, or sends errors without our details. */
function isForeignService({ code, cause }: Error & { code?: unknown }): boolean {
  if (code === "internal_error") return cause !== undefined;
  return (cause as { code?: unknown } | undefined)?.code === unimplemented;
}

const hasPart = (details: unknown): details is { part: string } =>
  typeof (details as { part?: unknown } | undefined)?.part === "string";

const busy = (service: ServiceName, part: string) =>
  new UnreachableError(`The ${service} service cannot do this now (${part}); repeat it later.`);

// An unreachable server and an untrusted certificate cause the same error.
function distrust(url: string): string {
  return url.startsWith("https:") ? ", or one side does not trust the other's certificate (CANVASS_TLS_*_FILE)" : "";
}

/** The service's fields are the options' names in snake case. */
function faultsOf(details: unknown): string[] {
  return Object.entries(details as Record<string, unknown>).map(([field, faults]) => {
    const text = Array.isArray(faults) ? faults.join(" ") : JSON.stringify(faults);
    return `--${field.replaceAll("_", "-")}: ${text}`;
  });
}
