import { validationFailed } from "@canvass/inputs";
import type { AppError } from "@canvass/errors";

/** A text in a translators' file. */
export interface FileEntry {
  /** Path of the text in the survey, such as `elements.<id>.text`. */
  place: string;
  source: string;
  /** Empty: not translated yet. */
  target: string;
  /**
   * `fuzzy`: needs review, so the import skips it. `outdated`: the source had changed when the file was exported;
   * imported only if the target was edited since.
   */
  mark: "" | "fuzzy" | "outdated";
}

export const invalidFile = (message: string): AppError => validationFailed([{ path: "body", message }]);
