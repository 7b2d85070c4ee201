import { create } from "@bufbuild/protobuf";
import { auditEvent } from "@canvass/events";
import { CallerSchema } from "@canvass/proto/access";
import type { UploadedFile } from "../../domain/files/uploaded-file.ts";
import { contentKey } from "../files/files.ts";
import type { Download } from "./find-download.ts";

/** A generic type, so that browsers never render uploads at this service's address. */
const mediaType = "application/octet-stream";

export function fileDownload(file: UploadedFile): Download {
  const { workspaceId, fileId, surveyId, name, size } = file;
  return {
    workspaceId,
    key: contentKey(file),
    name,
    mediaType,
    size,
    etag: `"${fileId}"`,
    audit: ({ clientAddress, requestId }, madeBy, at) =>
      auditEvent(
        { caller: create(CallerSchema, { workspaceId, ...madeBy }), clientAddress, requestId },
        { source: "response", at, action: "file.downloaded", resourceId: fileId, after: { surveyId } },
      ),
  };
}
