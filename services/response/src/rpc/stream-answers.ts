import type { MessageInitShape } from "@bufbuild/protobuf";
import { defaultLimit, refuseViolations } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { StreamAnswersRequest, StreamAnswersResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { answerBinding, answerFilterViolations, toAnswerFilter } from "../application/reading/answer-list.ts";
import { toAnswerMessage } from "../application/reading/answer-message.ts";
import { walkAnswers, type AnswerPosition } from "../application/reading/walk-answers.ts";
import { findHorizon } from "../storage/advisory-locks.ts";
import { requireSurvey } from "../application/surveys/require-survey.ts";

const step = { rows: 500, bytes: 32 * 1024 };

export async function* streamAnswers(
  context: ResponseContext,
  { filter: given, cursor, language }: StreamAnswersRequest,
  { caller }: Call,
): AsyncGenerator<MessageInitShape<typeof StreamAnswersResponseSchema>> {
  const { database, surveys, snapshots, cursors, givenClock } = context;
  const filter = toAnswerFilter(caller.workspaceId, given);
  const page = openPage<AnswerPosition>(cursors, answerBinding(filter), { limit: defaultLimit, cursor });
  refuseViolations([...answerFilterViolations(filter), ...page.violations]);
  await requireSurvey(context, filter);
  // Read before the snapshot, which must contain everything before the horizon.
  const horizon = await findHorizon(database.sql, filter, givenClock);
  const walk = { filter, after: page.after, horizon, size: step, language };
  yield* snapshots.stream(caller.workspaceId, async function* (sql) {
    yield {};
    for await (const { answers } of walkAnswers(sql, surveys, walk)) {
      yield { answers: answers.map((answer) => toAnswerMessage(answer, page.cursorAt(answer.position))) };
    }
  });
}
