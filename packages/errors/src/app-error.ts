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

/** The `details` shape of spec 7.1: every faulty location with all its messages, in order of appearance. */
export function groupFaults(faults: readonly Fault[]): Record<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const messages = grouped.get(path);
    if (messages) messages.push(message);
    else grouped.set(path, [message]);
  }
  return Object.fromEntries(grouped);
}

/** A `validation_failed` naming every fault at once (spec 7.3). */
export function validationFailed(faults: readonly Fault[]): AppError {
  return new AppError("validation_failed", groupFaults(faults));
}
