import { errorCatalogue, type ErrorCode } from "./catalogue.ts";

/** Code-specific details of an error: a JSON object. */
export type ErrorDetails = Record<string, unknown>;

/**
 * The one error domain code throws: a code of the catalogue, its details, and a message where the catalogue's own
 * would say too little. Anything else that is thrown counts as a defect and is hidden from the caller.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, message: string = errorCatalogue[code].message) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}

/** One thing wrong with the input: where (dotted location) and what (a sentence). */
export interface Fault {
  path: string;
  message: string;
}

/**
 * Faults that the edge found, and those a service found besides. A field in which the edge found one does not reach the
 * service, so what that says of it means nothing.
 */
export function joinFaults(edge: readonly Fault[], own: readonly Fault[]): Fault[] {
  const fields = new Set(edge.map(({ path }) => fieldOf(path)));
  return [
    ...edge.map(({ path, message }) => ({ path, message })),
    ...own.filter(({ path }) => !fields.has(fieldOf(path))),
  ];
}

/** The field of a body in which a dotted location lies. */
export const fieldOf = (path: string): string => path.split(".", 1)[0]!;

/** The `details` shape of contract 2.1: every faulty location with all its messages, in order of appearance. */
export function groupFaults(faults: readonly Fault[]): Record<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const messages = grouped.get(path);
    if (messages) messages.push(message);
    else grouped.set(path, [message]);
  }
  return Object.fromEntries(grouped);
}

/** A `validation_failed` naming every fault at once (contract 2.1). */
export function validationFailed(faults: readonly Fault[]): AppError {
  return new AppError("validation_failed", groupFaults(faults));
}
