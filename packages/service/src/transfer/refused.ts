import type { AppError } from "@canvass/errors";
import { violationAt, validationFailed } from "@canvass/inputs";

export const refused = (...messages: string[]): AppError =>
  validationFailed(messages.flatMap((message) => violationAt("file", message)));
