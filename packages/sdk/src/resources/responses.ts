import type {
  ListAnswersData,
  ListRespondentsData,
  StartRespondentRequest,
  SubmitAnswersRequest,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import type { ListFilters } from "../lists/list-filters.ts";
import { listItems } from "../lists/list-items.ts";
import type { CallOptions } from "../options.ts";
import { streamAnswers, type StreamOptions } from "../streams/stream-answers.ts";

type AnswerFilters = ListFilters<ListAnswersData>;

/** Respondents and their answers. */
export function responsesOf(connection: Connection) {
  const { api, sending } = connection;
  return {
    /** Lists the current answers, oldest first: none is missed and none comes twice, however many are given meanwhile. */
    list: (surveyId: string, filters: AnswerFilters = {}, options: CallOptions = {}) =>
      listItems(
        // The empty cursor asks for pages by cursor (contract 7.9).
        async (cursor = "") =>
          api.listAnswers({ path: { surveyId }, query: { ...filters, cursor }, ...sending(options) }),
        options.signal,
      ),
    /** Streams all answers of this moment. Goes on by cursor where the connection is cut. */
    stream: (surveyId: string, filters: Omit<AnswerFilters, "limit"> = {}, options: StreamOptions = {}) =>
      streamAnswers(connection, surveyId, filters, options),
    respondents: (surveyId: string, filters: ListFilters<ListRespondentsData> = {}, options: CallOptions = {}) =>
      listItems(
        async (cursor) =>
          api.listRespondents({ path: { surveyId }, query: { ...filters, cursor }, ...sending(options) }),
        options.signal,
      ),
    /** Starts a respondent. */
    start: async (surveyId: string, body: StartRespondentRequest = {}, options?: CallOptions) =>
      (await api.startRespondent({ path: { surveyId }, body, ...sending(options) })).data.data,
    /** Stores answers of a respondent; the last required one completes it. */
    submit: async (surveyId: string, body: SubmitAnswersRequest, options?: CallOptions) =>
      (await api.submitAnswers({ path: { surveyId }, body, ...sending(options) })).data.data,
  };
}
