import type { PublishSurveyRequest, Survey as SurveyData, UpdateSurveyRequest } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { orStale, StaleError } from "../errors/stale-error.ts";
import type { RequestOptions, WriteOptions } from "../options.ts";
import { documentBody, type SurveyDocument } from "./document.ts";
import { tagged, type Tagged } from "./tagged.ts";
import { withMethods } from "./with-methods.ts";

export interface SurveyMethods {
  /** Changes the given fields, and returns the updated survey. Throws `StaleSurveyError`. */
  update(changes: UpdateSurveyRequest, options?: WriteOptions): Promise<Survey>;
  /** Replaces the survey with a document, and returns the updated survey. Throws `StaleSurveyError`. */
  replaceDocument(document: SurveyDocument, options?: WriteOptions): Promise<Survey>;
  /** Publishes the draft, and returns the published survey. Throws `StaleSurveyError`. */
  publish(publication?: PublishSurveyRequest, options?: WriteOptions): Promise<Survey>;
  /** Reads the survey again. */
  reload(options?: RequestOptions): Promise<Survey>;
}

/** A survey at the time it was read. Its writes are refused if it has changed since. */
export type Survey = Tagged<SurveyData> & SurveyMethods;

export class StaleSurveyError extends StaleError<Survey> {}

/** Reads a survey. */
export async function readSurvey(connection: Connection, surveyId: string, options?: RequestOptions): Promise<Survey> {
  const { data } = await connection.api.getSurvey({ path: { surveyId }, ...connection.sending(options) });
  return surveyOf(connection, tagged(data));
}

/** Gives a survey its methods. */
export function surveyOf<Data extends Tagged<SurveyData>>(connection: Connection, data: Data): Data & SurveyMethods {
  const { api, sending } = connection;
  const path = { surveyId: data.id };
  const headers = { "If-Match": data.etag };
  const reload = (options?: RequestOptions) => readSurvey(connection, data.id, options);
  const write = <Result>(sent: Promise<Result>, options?: WriteOptions) =>
    orStale(sent, StaleSurveyError, () => reload(options));
  return withMethods<Data, SurveyMethods>(data, {
    reload,
    async update(body, options) {
      const updated = await write(api.updateSurvey({ path, headers, body, ...sending(options) }), options);
      return surveyOf(connection, tagged(updated.data));
    },
    async replaceDocument(document, options) {
      const { headers: type, ...sent } = documentBody(document);
      const both = { ...headers, ...type };
      const replacing = api.replaceSurveyDocument({ path, ...sent, headers: both, ...sending(options) });
      return surveyOf(connection, tagged((await write(replacing, options)).data));
    },
    async publish(body, options) {
      await write(api.publishSurvey({ path, headers, ...(body && { body }), ...sending(options) }), options);
      return reload(options);
    },
  });
}
