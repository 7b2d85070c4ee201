import { OperationalError, reasonOf, systemErrorCode } from "@canvass/provisioning";

const whereDisksAreFull: readonly string[] = ["ENOSPC", "EDQUOT", "EFBIG"];

/** The error of a file that could not be written, with what to do. `kept` tells what is as it was. */
export function notWritten(path: string, cause: unknown, kept = ""): OperationalError {
  const remedy = whereDisksAreFull.includes(systemErrorCode(cause)) ? " Make room, and run it again." : "";
  const rest = kept === "" ? "" : `; ${kept}`;
  return new OperationalError(`${path} cannot be written (${reasonOf(cause)})${rest}.${remedy}`, { cause });
}
