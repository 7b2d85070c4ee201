import type {
  CreateSurveyRequest,
  ListSurveysData,
  PublishSurveyRequest,
  Survey as SurveyData,
  UpdateSurveyRequest,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { tagged, type Tagged } from "../handles/etag-of.ts";
import { readSurvey, surveyOf } from "../handles/survey.ts";
import { listItems } from "../lists/list-items.ts";
import type { ListFilters } from "../lists/list-filters.ts";
import type { CallOptions } from "../options.ts";

type Read = Tagged<Pick<SurveyData, "id">>;

/** Surveys. Those that were read on their own know their ETag, and can be changed. */
export function surveysOf(connection: Connection) {
  const { api, sending } = connection;
  const known = ({ id, etag }: Read) => surveyOf(connection, { id, etag } as Tagged<SurveyData>);
  return {
    /** Creates a survey; with `questions`, the result has them with their ids. */
    async create(body: CreateSurveyRequest, options?: CallOptions) {
      const { data } = await api.createSurvey({ body, ...sending(options) });
      return surveyOf(connection, tagged(data));
    },
    get: (surveyId: string, options?: CallOptions) => readSurvey(connection, surveyId, options),
    /** Lists surveys, the newest first. */
    list: (filters: ListFilters<ListSurveysData> = {}, options: CallOptions = {}) =>
      listItems(
        async (cursor) => api.listSurveys({ query: { ...filters, cursor }, ...sending(options) }),
        options.signal,
      ),
    /** Changes a survey as it was read: `survey.update` for an id and an ETag. Throws `StaleSurveyError`. */
    update: (survey: Read, changes: UpdateSurveyRequest, options?: CallOptions) =>
      known(survey).update(changes, options),
    /** Publishes a survey as it was read: `survey.publish` for an id and an ETag. Throws `StaleSurveyError`. */
    publish: (survey: Read, publication?: PublishSurveyRequest, options?: CallOptions) =>
      known(survey).publish(publication, options),
  };
}
