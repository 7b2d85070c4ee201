import { Type } from "typebox";
import { closed, lookupId } from "../fields.ts";

/** Limit of a stored file name in UTF-8 bytes; file systems allow no more. */
export const longestFileName = 255;

const elementId = lookupId("a question", "of a question of the type file_upload");

const fields = {
  surveyId: lookupId("a survey", "of the survey that the file is for"),
  elementId,
  respondentId: Type.Optional(
    lookupId(
      "a respondent",
      "whose answer will name the file; left out: the respondent whose answer is the first to name it",
    ),
  ),
};

const file = Type.Unsafe<never>({
  type: "string",
  format: "binary",
  description: "the file; must be the last part of the form",
  "x-expected": "a file",
});

export const uploadFileBody = closed({ ...fields, file });
export const uploadLinkFileBody = closed({ elementId, file });
