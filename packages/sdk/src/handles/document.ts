import type {
  DocumentPlan,
  GetSurveyDocumentData,
  ImportSurveyRequest,
  ImportSurveyData,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import type { RequestOptions } from "../options.ts";
import { tagged, type Tagged } from "./tagged.ts";

/** A survey's document: as an object, or as the text of a file. */
export type SurveyDocument = ImportSurveyRequest | DocumentText;

export interface DocumentText {
  text: string;
  format: "json" | "yaml";
}

type DocumentQuery = NonNullable<GetSurveyDocumentData["query"]>;
export type DocumentFilters = Omit<DocumentQuery, "format"> & { format?: "json" | "yaml" };
export type FormFilters = Omit<DocumentQuery, "format">;

/** Reads a survey's document as text, with the survey's ETag. */
export async function readDocument(
  { api, sending }: Connection,
  surveyId: string,
  { format = "yaml", ...filters }: DocumentFilters = {},
  options?: RequestOptions,
): Promise<Tagged<DocumentText>> {
  const query = { format, ...filters };
  const answer = await api.getSurveyDocument({ path: { surveyId }, query, parseAs: "text", ...sending(options) });
  // A proxy that compresses may weaken it. The document in YAML has a tag of its own (contract 3.1).
  const etag = answer.response.headers
    .get("etag")!
    .replace(/^W\//, "")
    .replace(/-yaml"$/, '"');
  return { text: answer.data as unknown as string, format, etag };
}

/** Reads a survey as an XLSForm, an xlsx file for ODK and Kobo. */
export async function readForm(
  { api, sending }: Connection,
  surveyId: string,
  filters: FormFilters = {},
  options?: RequestOptions,
): Promise<Uint8Array> {
  const query = { ...filters, format: "xlsform" } as const;
  const { data } = await api.getSurveyDocument({
    path: { surveyId },
    query,
    parseAs: "arrayBuffer",
    ...sending(options),
  });
  return new Uint8Array(data as unknown as ArrayBuffer);
}

/** Returns what a document would change in a survey. The ETag is that of the survey. */
export async function planDocument(
  { api, sending }: Connection,
  surveyId: string,
  document: SurveyDocument,
  options?: RequestOptions,
): Promise<Tagged<DocumentPlan>> {
  const { headers, ...sent } = documentBody(document);
  // The API ignores the key of a read. It marks the request as repeatable for this client.
  const repeatable = { ...headers, "Idempotency-Key": "plan" };
  const { data } = await api.planSurveyDocument({
    path: { surveyId },
    ...sent,
    headers: repeatable,
    ...sending(options),
  });
  return tagged(data);
}

/** The body of a document, as the generated class takes it. Text is sent unchanged. */
export function documentBody(document: SurveyDocument): Pick<ImportSurveyData, "body"> & {
  bodySerializer?: null;
  headers: { "Content-Type": string };
} {
  if (!isText(document)) return { body: document, headers: { "Content-Type": "application/json" } };
  const { text, format } = document;
  const body = text as unknown as ImportSurveyRequest;
  return { body, bodySerializer: null, headers: { "Content-Type": `application/${format}` } };
}

const isText = (document: SurveyDocument): document is DocumentText => "text" in document && "format" in document;
