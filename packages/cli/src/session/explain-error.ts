import { UnreachableError } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning";
import { CanvassError } from "@canvass/sdk";

const notReached = new Set(["connection_failed", "deadline_passed"]);

/** Turns an error of the SDK into one that is printed as a sentence; returns others as they are. */
export function explainError(error: unknown): unknown {
  if (!(error instanceof CanvassError)) return error;
  const { code, message, suggestion } = error;
  if (notReached.has(code)) {
    return new UnreachableError(`The API was not reached. ${message} Check the address and the network.`, {
      cause: error,
    });
  }
  const remedy = error.status === 401 ? "Log in with another token: canvass login" : suggestion;
  const request = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  return new OperationalError(`${[message, remedy, ...violations(error)].join(" ").trim()}${request}`, {
    cause: error,
  });
}

/** One sentence for each violation of an input. */
function violations({ details }: CanvassError): string[] {
  const { violations: listed } = Object(details) as { violations?: { path?: string; message?: string }[] };
  if (!Array.isArray(listed)) return [];
  return listed.map(({ path = "", message = "" }) => `${path} ${message}.`.trim());
}
