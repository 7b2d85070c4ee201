import type { MessageInitShape } from "@bufbuild/protobuf";
import { pagingViolations, refuseViolations, type Violation } from "@canvass/inputs";
import { openPage, type CursorPage } from "@canvass/postgres";
import type { ListAnswersRequest, ListAnswersResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { answerBinding, answerFilterViolations, toAnswerFilter } from "../application/reading/answer-list.ts";
import { toAnswerMessage } from "../application/reading/answer-message.ts";
import { readAnswerPage } from "../application/reading/answer-page.ts";
import { findNumberedStart, mostNumbered } from "../application/reading/numbered-page.ts";
import type { AnswerPosition } from "../application/reading/walk-answers.ts";
import { findHorizon } from "../storage/advisory-locks.ts";
import { requireSurvey } from "../application/surveys/require-survey.ts";
import type { AnswerFilter } from "../storage/answers/answer-set-pages.ts";

type Response = MessageInitShape<typeof ListAnswersResponseSchema>;

const mostExamined = 5_000;
const beginning: AnswerPosition = [0, "", -1, -1];

/** Returns a page of a survey's answers (contract 7.9). */
export async function listAnswers(
  context: ResponseContext,
  { filter: given, limit, cursor, page: number, language }: ListAnswersRequest,
  { caller, signal }: Call,
): Promise<Response> {
  const filter = toAnswerFilter(caller.workspaceId, given);
  const page = openPage<AnswerPosition>(context.cursors, answerBinding(filter), { limit, cursor: cursor ?? "" });
  const isNumbered = cursor === undefined;
  refuseViolations([
    ...answerFilterViolations(filter),
    ...page.violations,
    ...(isNumbered ? numberViolations(number, limit) : []),
  ]);
  await requireSurvey(context, filter);
  const { after, cursorAt } = page;
  const asked = { after, cursorAt, filter, limit, signal, language };
  return isNumbered ? listNumbered(context, asked, number) : listFollowing(context, asked);
}

function numberViolations(page: number, limit: number): Violation[] {
  const violations = pagingViolations({ limit, page }).filter(({ path }) => path === "page");
  const message = `reaches ${mostNumbered} answers at most; go on with \`cursor\``;
  return violations.length === 0 && page * limit > mostNumbered ? [{ path: "page", message }] : violations;
}

interface AskedPage extends Pick<CursorPage<AnswerPosition>, "after" | "cursorAt"> {
  filter: AnswerFilter;
  limit: number;
  language: string;
  signal: AbortSignal;
}

/** Pages by cursor stop at the horizon, so that no answer appears later before the cursor. */
async function listFollowing(
  { database: { sql }, surveys, givenClock }: ResponseContext,
  { cursorAt, ...asked }: AskedPage,
): Promise<Response> {
  const horizon = await findHorizon(sql, asked.filter, givenClock);
  const { answers, end, hasMore } = await readAnswerPage(sql, surveys, { ...asked, horizon, mostExamined });
  return {
    answers: answers.map((answer) => toAnswerMessage(answer)),
    nextCursor: cursorAt(end ?? beginning),
    hasMore,
  };
}

/** Pages by number include everything committed. `nextCursor` never passes the horizon, so that it misses nothing. */
async function listNumbered(
  { database: { sql }, surveys, givenClock }: ResponseContext,
  { cursorAt, filter, limit, language, signal }: AskedPage,
  number: number,
): Promise<Response> {
  const horizon = (await findHorizon(sql, filter, givenClock)).getTime();
  const { start, counted, total, isExact, ...beyond } = await findNumberedStart(sql, filter, {
    offset: (number - 1) * limit,
    signal,
  });
  const page = start && { ...start, filter, limit, language, signal, mostExamined: mostNumbered - start.examined };
  const { answers, end, hasMore } = page
    ? await readAnswerPage(sql, surveys, page)
    : { answers: [], end: counted, ...beyond };
  const [time] = end ?? beginning;
  return {
    answers: answers.map((answer) => toAnswerMessage(answer)),
    nextCursor: cursorAt(end && time < horizon ? end : [Math.min(time, horizon), "", -1, -1]),
    hasMore,
    total: BigInt(total),
    totalIsExact: isExact,
  };
}
