import type {
  ListAnswersData,
  ListRespondentsData,
  ResponseImport as ResponseImportData,
  ResponseImportPreview,
  StartRespondentRequest,
  SubmitAnswersRequest,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { answersBody, responseImportOf, type AnswersFile, type ResponseImport } from "../handles/response-import.ts";
import type { ListFilters } from "../lists/list-filters.ts";
import { listItems } from "../lists/list-items.ts";
import type { RequestOptions, WriteOptions } from "../options.ts";
import { streamAnswers, type StreamOptions } from "../streams/stream-answers.ts";

type AnswerFilters = ListFilters<ListAnswersData>;

/** Respondents and their answers. */
export function responsesOf(connection: Connection) {
  const { api, sending } = connection;
  return {
    /** Lists the current answers, oldest first. None is missed or repeated, even while new ones arrive. */
    list: (surveyId: string, filters: AnswerFilters = {}, options: RequestOptions = {}) =>
      listItems(
        async (cursor) =>
          api.listAnswers({
            path: { surveyId },
            query: { ...filters, ...(cursor === undefined ? { paging: "cursor" } : { cursor }) },
            ...sending(options),
          }),
        options.signal,
      ),
    /** Streams all current answers. Resumes by cursor if the connection is lost. */
    stream: (surveyId: string, filters: Omit<AnswerFilters, "limit"> = {}, options: StreamOptions = {}) =>
      streamAnswers(connection, surveyId, filters, options),
    respondents: (surveyId: string, filters: ListFilters<ListRespondentsData> = {}, options: RequestOptions = {}) =>
      listItems(
        async (cursor) =>
          api.listRespondents({ path: { surveyId }, query: { ...filters, cursor }, ...sending(options) }),
        options.signal,
      ),
    /** Starts a respondent. */
    start: async (surveyId: string, body: StartRespondentRequest = {}, options?: WriteOptions) =>
      (await api.startRespondent({ path: { surveyId }, body, ...sending(options) })).data.data,
    /**
     * Stores answers of a respondent. Completes it if the submission names the last page or none, or has
     * `metadata.complete`, and no required answer is missing.
     */
    submit: async (surveyId: string, body: SubmitAnswersRequest, options?: WriteOptions) =>
      (await api.submitAnswers({ path: { surveyId }, body, ...sending(options) })).data.data,
    /** Imports a CSV file of answers; `wait` waits until it is done. */
    async import(surveyId: string, file: AnswersFile, options?: WriteOptions): Promise<ResponseImport> {
      const { data } = await api.importResponses({ path: { surveyId }, ...answersBody(file), ...sending(options) });
      return responseImportOf(connection, data.data as ResponseImportData);
    },
    async getImport(importId: string, options?: RequestOptions): Promise<ResponseImport> {
      const { data } = await api.getResponseImport({ path: { importId }, ...sending(options) });
      return responseImportOf(connection, data.data);
    },
    /** Returns what importing a file would store, and which rows are invalid. Writes nothing. */
    async previewImport(surveyId: string, file: AnswersFile, options?: WriteOptions): Promise<ResponseImportPreview> {
      const { body, query } = answersBody(file);
      const sent = { path: { surveyId }, body, query: { ...query, dryRun: true } };
      return (await api.importResponses({ ...sent, ...sending(options) })).data.data as ResponseImportPreview;
    },
  };
}
