import { validationFailed, type AppError, type Fault } from "@canvass/errors";

/**
 * An error travels in the trailer of a call, where HTTP/2 clients take 64 KiB of base64 and drop the whole answer
 * beyond. So this many bytes of details, and a note about the rest.
 */
const MOST_BYTES = 40_000;
/** Quotes, brackets and commas around a fault in JSON. */
const AROUND = 8;

/** A `validation_failed` naming every fault, or of a flood of them the first and how many more there are. */
export function refuseFaults(faults: readonly Fault[]): AppError {
  let bytes = 0;
  const end = faults.findIndex(({ path, message }) => {
    bytes += Buffer.byteLength(JSON.stringify(path)) + Buffer.byteLength(JSON.stringify(message)) + AROUND;
    return bytes > MOST_BYTES;
  });
  if (end === -1) return validationFailed(faults);
  const rest = { path: "…", message: `${faults.length - end} more faults are left out here` };
  return validationFailed([...faults.slice(0, end), rest]);
}
