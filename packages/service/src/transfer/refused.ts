import type { AppError } from "@canvass/errors";
import { violationAt, validationFailed } from "@canvass/inputs";

/** Faults of the file that contains the workspace. */
export const refused = (...messages: string[]): AppError =>
  validationFailed(messages.flatMap((message) => violationAt("file", message)));
