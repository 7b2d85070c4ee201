import { OperationalError, reasonOf, systemErrorCode } from "@canvass/provisioning";

const diskFullCodes: readonly string[] = ["ENOSPC", "EDQUOT", "EFBIG"];

/** Returns the error of a file that could not be written, with a remedy. `unchanged` says what is as before. */
export function writeError(path: string, cause: unknown, unchanged = ""): OperationalError {
  const remedy = diskFullCodes.includes(systemErrorCode(cause)) ? " Make room, and run it again." : "";
  const rest = unchanged === "" ? "" : `; ${unchanged}`;
  return new OperationalError(`${path} cannot be written (${reasonOf(cause)})${rest}.${remedy}`, { cause });
}
