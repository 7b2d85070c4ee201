import { validationFailed, type Violation } from "@canvass/inputs";
import type { AppError } from "@canvass/errors";

/** Makes the refusal of a file, at a place in it. */
export function fileRefused(message: string, place = ""): AppError {
  const violation: Violation = { path: place === "" ? "file" : `file.${place}`, message };
  return validationFailed([violation]);
}
