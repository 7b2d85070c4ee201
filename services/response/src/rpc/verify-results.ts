import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { validationFailed } from "@canvass/inputs";
import { isTimeZone } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type {
  CounterDifferenceSchema,
  VerifyResultsRequest,
  VerifyResultsResponseSchema,
} from "@canvass/proto/response-operator";
import type { ResponseContext } from "../context.ts";
import { recountRespondents } from "../application/recount/recount-respondents.ts";
import {
  createRecountTables,
  storeDifferences,
  mendCounters,
  readDifferences,
  trustCompletionTime,
  type Differing,
  type DifferingRow,
} from "../storage/results/recount-tables.ts";
import { requireSurvey } from "../application/surveys/require-survey.ts";

type Chunk = MessageInitShape<typeof VerifyResultsResponseSchema>;
type Difference = MessageInitShape<typeof CounterDifferenceSchema>;

const maxReported = 1_000;
const mendedAtOnce = 500;

/** Recounts a survey's results and reports what differs. With `repair`, corrects the counters. */
export async function* verifyResults(
  context: ResponseContext,
  { workspaceId, surveyId, timeZone, repair }: VerifyResultsRequest,
): AsyncGenerator<Chunk> {
  if (!isTimeZone(timeZone)) throw validationFailed([{ path: "time_zone", message: "A time zone is required." }]);
  const survey = { workspaceId, surveyId };
  await requireSurvey(context, survey);
  yield* context.recounts.alone(survey, async function* (sql): AsyncGenerator<Chunk> {
    await sql.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await createRecountTables(sql);
    const walk = recountRespondents(sql, context.surveys, survey, timeZone);
    let step = await walk.next();
    for (; !step.done; step = await walk.next()) {
      yield { respondents: BigInt(step.value.respondents), answers: BigInt(step.value.answers) };
    }
    const { respondents, answers, hasUnknownTimes } = step.value;
    if (hasUnknownTimes) await trustCompletionTime(sql, survey);
    const differing = await storeDifferences(sql, survey);
    await sql.query("COMMIT");
    yield { differences: await readReported(sql, differing) };
    const repaired = repair && differing.some(({ rows }) => rows > 0);
    if (repaired) await mend(sql, survey, differing);
    const rows = differing.reduce((sum, each) => sum + each.rows, 0);
    const outcome = { differing: BigInt(rows), timeUnknown: hasUnknownTimes, repaired };
    yield { respondents: BigInt(respondents), answers: BigInt(answers), outcome };
  });
}

async function mend(sql: Sql, survey: { workspaceId: string; surveyId: string }, differing: Differing[]) {
  for (const { table, rows } of differing) {
    for (let after = 0; after < rows; after += mendedAtOnce)
      await mendCounters(sql, table, survey, after, mendedAtOnce);
  }
}

async function readReported(sql: Sql, differing: Differing[]): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const { table } of differing) {
    const rows = await readDifferences(sql, table, 0, maxReported - differences.length);
    differences.push(...rows.flatMap((row) => differencesOf(table, row)));
    if (differences.length >= maxReported) break;
  }
  return differences.slice(0, maxReported);
}

function differencesOf(table: string, row: DifferingRow): Difference[] {
  const { question_id: questionId = "", bucket = "", number, starts_at, off_path: offPath = false } = row;
  const at = { questionId, bucket, offPath, quotaId: row.quota_id ?? "", ...(number !== undefined && { number }) };
  const startsAt = starts_at && { startsAt: timestampFromDate(starts_at) };
  return Object.entries(row).flatMap(([name, standing]) => {
    if (!name.startsWith("standing_")) return [];
    const column = name.slice("standing_".length);
    const counted = row[`counted_${column}`];
    if (counted === standing || counted === undefined) return [];
    return [{ counter: `${table}.${column}`, ...at, ...startsAt, standing: String(standing), counted }];
  });
}
