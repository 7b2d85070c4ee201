import type {
  CopySurveyRequest,
  CreateSurveyRequest,
  ImportedQuestionnaire,
  ListSurveysData,
  PublishSurveyRequest,
  QuestionnairePreview,
  Survey as SurveyData,
  UpdateSurveyRequest,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import {
  documentBody,
  planDocument,
  readDocument,
  readForm,
  type DocumentFilters,
  type FormFilters,
  type SurveyDocument,
} from "../handles/document.ts";
import { questionnaireBody, type Questionnaire } from "../handles/questionnaire.ts";
import { tagged, type Tagged } from "../handles/tagged.ts";
import { readSurvey, surveyOf } from "../handles/survey.ts";
import { listItems } from "../lists/list-items.ts";
import type { ListFilters } from "../lists/list-filters.ts";
import type { RequestOptions, WriteOptions } from "../options.ts";

type Read = Tagged<Pick<SurveyData, "id">>;

/** Surveys. A survey that was read by its id has an ETag, so it can be changed. */
export function surveysOf(connection: Connection) {
  const { api, sending } = connection;
  const known = ({ id, etag }: Read) => surveyOf(connection, { id, etag } as Tagged<SurveyData>);
  return {
    /** Creates a survey; with `questions`, the result has them with their ids. */
    async create(body: CreateSurveyRequest, options?: WriteOptions) {
      const { data } = await api.createSurvey({ body, ...sending(options) });
      return surveyOf(connection, tagged(data));
    },
    get: (surveyId: string, options?: RequestOptions) => readSurvey(connection, surveyId, options),
    /** Lists surveys, by default the newest first. */
    list: (filters: ListFilters<ListSurveysData> = {}, options: RequestOptions = {}) =>
      listItems(
        async (cursor) => api.listSurveys({ query: { ...filters, cursor }, ...sending(options) }),
        options.signal,
      ),
    /** Creates a survey from a document. */
    async import(document: SurveyDocument, options?: WriteOptions) {
      const { data } = await api.importSurvey({ ...documentBody(document), ...sending(options) });
      return surveyOf(connection, tagged(data));
    },
    /** Creates a survey from a questionnaire of another system. The report has the outcome of each item of the file. */
    async importQuestionnaire(file: Questionnaire, options?: WriteOptions) {
      const sent = { ...questionnaireBody(file), query: { format: file.format } };
      const { data } = await api.importQuestionnaire({ ...sent, ...sending(options) });
      return data.data as ImportedQuestionnaire;
    },
    /** Returns what importing a questionnaire would create. Writes nothing. */
    async previewQuestionnaire(file: Questionnaire, options?: WriteOptions) {
      const sent = { ...questionnaireBody(file), query: { format: file.format, dryRun: true } };
      const { data } = await api.importQuestionnaire({ ...sent, ...sending(options) });
      return data.data as QuestionnairePreview;
    },
    /** Reads a survey as an XLSForm, an xlsx file for ODK and Kobo. */
    form: (surveyId: string, filters?: FormFilters, options?: RequestOptions) =>
      readForm(connection, surveyId, filters, options),
    /** Copies a survey's draft, or a version, to a new draft. */
    async copy(surveyId: string, copy: CopySurveyRequest = {}, options?: WriteOptions) {
      const { data } = await api.copySurvey({ path: { surveyId }, body: copy, ...sending(options) });
      return surveyOf(connection, tagged(data));
    },
    /** Reads a survey as a document: the text of a YAML or JSON file. */
    document: (surveyId: string, filters?: DocumentFilters, options?: RequestOptions) =>
      readDocument(connection, surveyId, filters, options),
    /** Returns what a document would change in a survey. Writes nothing. */
    planDocument: (surveyId: string, document: SurveyDocument, options?: RequestOptions) =>
      planDocument(connection, surveyId, document, options),
    /**
     * Replaces a survey with a document: fields and settings at once, the rest in its draft. Throws `StaleSurveyError`.
     */
    replaceDocument: (survey: Read, document: SurveyDocument, options?: WriteOptions) =>
      known(survey).replaceDocument(document, options),
    /** Like `survey.update`, for an id and an ETag. Throws `StaleSurveyError`. */
    update: (survey: Read, changes: UpdateSurveyRequest, options?: WriteOptions) =>
      known(survey).update(changes, options),
    /** Like `survey.publish`, for an id and an ETag. Throws `StaleSurveyError`. */
    publish: (survey: Read, publication?: PublishSurveyRequest, options?: WriteOptions) =>
      known(survey).publish(publication, options),
  };
}
