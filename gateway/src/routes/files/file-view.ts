import type { UploadFileResponse } from "@canvass/proto/files";
import { Type } from "typebox";
import { id, named } from "../schemas.ts";

export const uploadedFileSchema = named("UploadedFile", {
  fileId: id,
  name: Type.String({ description: "as it was given, without what is not safe in names" }),
  size: Type.Integer({ description: "bytes" }),
  mimeType: Type.String({ description: "by its name and content" }),
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

export const uploadRules = `The parts are fields, then the file as the last one, \`file\`. Size, extension and content are judged by the settings of the
question while the file comes. At most 100 MB (operators may set another limit), within 20 minutes. An answer then names the file by its
\`fileId\`; a file that no answer names is deleted after a day. A repetition with the same \`Idempotency-Key\` has to hold the
same fields, name and content.`;
