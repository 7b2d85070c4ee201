/** What the service says where its fields have other names than the options. */
const OPTION_OF: Readonly<Record<string, string>> = {
  owner_name: "owner-name",
  owner_email: "owner-email",
  time_zone: "time-zone",
};

/**
 * One line for what a call failed with, or undefined when it is no refusal by the service. Errors of calls are known by
 * their form: their class is in code that may not have been generated yet.
 */
export function refusalLine(error: unknown, tokenUrl: string): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("details" in error)) return undefined;
  switch (error.code) {
    case "service_unavailable":
    case "deadline_exceeded":
      return `The token service at ${tokenUrl} can not be reached${distrust(tokenUrl)}.`;
    case "unauthorized":
      return `The token service at ${tokenUrl} does not accept this operator key.`;
    default:
      return [error.message, ...faultsOf(error.details)].join(" ");
  }
}

// Whether nobody is there or a certificate is not trusted looks the same from here.
function distrust(tokenUrl: string): string {
  return tokenUrl.startsWith("https:")
    ? ", or one side does not trust the other's certificate (CANVASS_TLS_*_FILE)"
    : "";
}

function faultsOf(details: unknown): string[] {
  return Object.entries(details as Record<string, unknown>).map(([field, faults]) => {
    const said = Array.isArray(faults) ? faults.join(" ") : JSON.stringify(faults);
    return `--${OPTION_OF[field] ?? field}: ${said}`;
  });
}
