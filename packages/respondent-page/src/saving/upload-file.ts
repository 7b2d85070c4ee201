import type { Session } from "./link-api.ts";
import { Refusal } from "./refusal.ts";

export interface FileItem {
  fileId: string;
  name: string;
  size: number;
  mimeType: string;
}

export interface Upload {
  elementId: string;
  file: File;
  /** Idempotency key, the same for each attempt. */
  key: string;
  cancelled: AbortSignal;
  onProgress: (share: number) => void;
}

/** Uses XMLHttpRequest, because `fetch` reports no progress. Throws `Refusal`, or another error if interrupted. */
export function uploadFile(code: string, session: Session, upload: Upload): Promise<FileItem> {
  const { elementId, file, key, cancelled, onProgress } = upload;
  const { promise, resolve, reject } = Promise.withResolvers<FileItem>();
  const request = new XMLHttpRequest();
  const respondent = `/respondents/${encodeURIComponent(session.respondentId)}`;
  request.open("POST", `/public/v1/links/${encodeURIComponent(code)}${respondent}/files`);
  request.setRequestHeader("x-respondent-token", session.sessionToken);
  request.setRequestHeader("idempotency-key", key);
  request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
  request.addEventListener("load", () => {
    try {
      const body = JSON.parse(request.responseText) as { data: FileItem; error: Partial<Refusal> };
      if (request.status === 201) resolve(body.data);
      else reject(new Refusal(request.status, body.error, request.getResponseHeader("retry-after")));
    } catch (error) {
      // The response is not JSON, for example that of a proxy.
      reject(error);
    }
  });
  request.addEventListener("error", () => reject(new Error("the connection was lost")));
  request.addEventListener("abort", () => reject(new Error("the upload was cancelled")));
  cancelled.addEventListener("abort", () => request.abort());
  const body = new FormData();
  body.append("elementId", elementId);
  body.append("file", file, file.name);
  request.send(body);
  return promise;
}
