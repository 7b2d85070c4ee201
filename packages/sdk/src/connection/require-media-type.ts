import { unexpectedResponse } from "../errors/to-canvass-error.ts";

const json = "application/json";
const ndjson = "application/x-ndjson";

/** Media types by path, of operations with others than JSON, some only if asked for. `*` stands for any. */
export const mediaTypes: Readonly<Record<string, readonly string[]>> = {
  "/api/v1/surveys/{surveyId}/document": [
    json,
    "application/yaml",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ],
  "/api/v1/surveys/{surveyId}/translations/{language}": [json, "text/csv", "text/x-gettext-translation"],
  "/api/v1/response/surveys/{surveyId}": [json, ndjson],
  "/api/v1/response/surveys/{surveyId}/stream": [ndjson],
  "/api/v1/response/surveys/{surveyId}/report": ["text/html"],
  "/api/v1/distribution/{distributorId}/qr-code": ["image/png", "image/svg+xml"],
  "/api/v1/downloads/{downloadToken}": ["*"],
};

/**
 * Returns a response to the operation at `url`, a template. Throws `unexpected_response` for a success of another media
 * type: another web site, or the sign-in page of a proxy, may answer anything with 200.
 */
export async function requireMediaType(response: Response, _: Request, { url }: { url: string }): Promise<Response> {
  const types = mediaTypes[url] ?? [json];
  if (!response.ok || types.includes("*") || types.includes(mediaTypeOf(response))) return response;
  await response.body?.cancel();
  throw unexpectedResponse(response);
}

/** The media type without its parameters; empty without one. */
export const mediaTypeOf = ({ headers }: Response): string =>
  headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
