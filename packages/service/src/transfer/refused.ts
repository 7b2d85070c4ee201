import type { AppError } from "@canvass/errors";
import { faultAt, validationFailed } from "@canvass/inputs";

/** Of the file that a workspace comes in. */
export const refused = (...messages: string[]): AppError =>
  validationFailed(messages.flatMap((message) => faultAt("file", message)));
