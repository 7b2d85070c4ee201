import { validationFailed } from "@canvass/inputs";
import type { AppError } from "@canvass/errors";

/** A text of a translators' file. */
export interface FileEntry {
  place: string;
  source: string;
  /** Empty: not translated yet. */
  target: string;
  /** `fuzzy`: somebody has to look at it first. `outdated`: it was when the file was written. */
  mark: "" | "fuzzy" | "outdated";
}

export const unreadable = (message: string): AppError => validationFailed([{ path: "body", message }]);
