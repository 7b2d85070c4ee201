import { UnreachableError } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning";
import { CanvassError } from "@canvass/sdk";

const notReached = new Set(["connection_failed", "deadline_passed"]);

/** Converts an error of the SDK to one that prints as a sentence; returns other errors unchanged. */
export function explainError(error: unknown): unknown {
  if (!(error instanceof CanvassError)) return error;
  const { code, message, suggestion } = error;
  if (notReached.has(code)) {
    return new UnreachableError(`The API was not reached. ${message} Check the address and the network.`, {
      cause: error,
    });
  }
  const remedy =
    error.status === 401
      ? "Log in with another token (canvass login), or replace CANVASS_TOKEN."
      : nameDetails(suggestion, error.details);
  const request = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  return new OperationalError(`${[message, remedy, ...violations(error)].join(" ").trim()}${request}`, {
    cause: error,
  });
}

/** Adds its value to each detail that a suggestion names. */
function nameDetails(suggestion: string, details: unknown): string {
  const values = Object(details) as Record<string, unknown>;
  return suggestion.replaceAll(/`details\.(\w+)`/g, (name, key: string) =>
    ["string", "number"].includes(typeof values[key]) ? `${name} (${String(values[key])})` : name,
  );
}

/** One sentence for each violation of an input (contract 2.1), such as `pages.0.key: must not be end.` */
function violations({ details }: CanvassError): string[] {
  return Object.entries(Object(details) as Record<string, unknown>).flatMap(([place, told]) =>
    isTexts(told) ? told.map((text) => `${place}: ${text}.`) : [],
  );
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
