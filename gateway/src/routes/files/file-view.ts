import type { UploadFileResponse } from "@canvass/proto/files";
import { Type } from "typebox";
import { id, named } from "../schemas.ts";

export const uploadedFileSchema = named("UploadedFile", {
  fileId: id,
  name: Type.String({ description: "as given, without characters that are unsafe in file names" }),
  size: Type.Integer({ description: "bytes" }),
  mimeType: Type.String({ description: "detected from name and content" }),
});

export function uploadedFileView({ fileId, name, sizeBytes, mimeType }: UploadFileResponse) {
  return { fileId, name, size: Number(sizeBytes), mimeType };
}

export const uploadErrors = [
  "survey_not_collecting",
  "file_too_large",
  "file_type_not_allowed",
  "quota_exceeded",
  "respondent_not_found",
  "file_not_found",
] as const;

export const uploadRules = `The parts are fields, then the file as the last one, \`file\`. Size, extension and content are checked against the settings of the
question while the file arrives. At most 100 MB (operators may set another limit), within 20 minutes. An answer then refers to the file by its
\`fileId\`; a file without an answer is deleted after a day, one that came by a link and was never in an answer after three hours. A retry with the same \`Idempotency-Key\` must have the
same fields, name and content.`;
