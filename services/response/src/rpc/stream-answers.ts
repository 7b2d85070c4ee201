import type { MessageInitShape } from "@bufbuild/protobuf";
import { defaultLimit, refuseFaults } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { StreamAnswersRequest, StreamAnswersResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { answerBinding, answerFilterFaults, toAnswerFilter } from "../application/reading/answer-list.ts";
import { toAnswerMessage } from "../application/reading/answer-message.ts";
import { walkAnswers, type AnswerPlace } from "../application/reading/walk-answers.ts";
import { findHorizon } from "../storage/horizon.ts";
import { requireSurvey } from "../application/surveys/require-survey.ts";

/** A piece is made in a few milliseconds. */
const step = { rows: 500, bytes: 32 * 1024 };

/** All of a survey's answers that stand at one moment. Throws `survey_not_found`, `service_unavailable`. */
export async function* streamAnswers(
  context: ResponseContext,
  { filter: given, cursor }: StreamAnswersRequest,
  { caller }: Call,
): AsyncGenerator<MessageInitShape<typeof StreamAnswersResponseSchema>> {
  const { database, surveys, snapshots, cursors, givenClock } = context;
  const filter = toAnswerFilter(caller.workspaceId, given);
  const page = openPage<AnswerPlace>(cursors, answerBinding(filter), { limit: defaultLimit, cursor });
  refuseFaults([...answerFilterFaults(filter), ...page.faults]);
  await requireSurvey(context, filter);
  // Before the snapshot: what the horizon lets through, it has to show.
  const horizon = await findHorizon(database.sql, filter, givenClock);
  const walk = { filter, after: page.after, horizon, size: step };
  yield* snapshots.stream(caller.workspaceId, async function* (sql) {
    yield {};
    for await (const { answers } of walkAnswers(sql, surveys, walk)) {
      yield { answers: answers.map((answer) => toAnswerMessage(answer, page.cursorAt(answer.place))) };
    }
  });
}
