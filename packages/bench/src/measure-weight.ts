import { bfiAnswers, publishBfiSurvey, readBfiItems, readBfiRespondents } from "@canvass/e2e";
import pLimit from "p-limit";
import { Pool } from "pg";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { runLoad } from "./load.ts";
import { ourSaves, publishPagedSurvey, startRespondents } from "./paged-survey.ts";
import { copyToPlain, createPlainAnswers } from "./plain-answers.ts";
import { serviceDatabaseUrl } from "./service-database-url.ts";

const ourTables = { answers: ["answer_sets", "number_counters"], respondents: ["respondents"] };
const plainTables = { answers: ["plain_answers"], respondents: ["plain_respondents"] };

/**
 * Measures bytes on disk after VACUUM: per answer (with indexes) and per response (answers and respondent). Uses real
 * answers submitted at once, 27 on average, and answers saved on nine pages.
 */
export async function measureWeight(context: BenchContext): Promise<Measurement[]> {
  const response = new Pool({ connectionString: serviceDatabaseUrl(context.demo, "response"), max: 1 });
  try {
    await createPlainAnswers(context.bare.pool);
    return [
      ...(await measureShape(context, response, "whole", await answerAtOnce(context))),
      ...(await measureShape(context, response, "paged", await answerPages(context))),
    ];
  } finally {
    await response.end();
  }
}

async function answerAtOnce({ demo: { api }, size }: BenchContext): Promise<() => Promise<string>> {
  const items = readBfiItems();
  const survey = await publishBfiSurvey(api, items);
  const path = `/response/surveys/${survey.surveyId}`;
  return async () => {
    await pLimit(64).map(readBfiRespondents(items).slice(0, size.weighed), async (respondent) => {
      const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
      await api.post(path, { respondentId, responses: bfiAnswers(survey, items, respondent) });
    });
    return survey.surveyId;
  };
}

async function answerPages({ demo: { api, system }, size }: BenchContext): Promise<() => Promise<string>> {
  const survey = await publishPagedSurvey(api);
  const { baseUrl, token } = system.local;
  return async () => {
    const requests = ourSaves(survey, await startRespondents(api, survey.surveyId, size.weighed));
    await runLoad({ url: baseUrl, headers: { authorization: `Bearer ${token}` }, requests, connections: 256 });
    return survey.surveyId;
  };
}

/**
 * Compares the growth of our tables while respondents answer a survey with that of plain tables of the same answers.
 */
async function measureShape(
  { bare, size, say }: BenchContext,
  response: Pool,
  shape: "whole" | "paged",
  answer: () => Promise<string>,
): Promise<Measurement[]> {
  const [ourBefore, plainBefore] = [await sizesOf(response, ourTables), await sizesOf(bare.pool, plainTables)];
  const surveyId = await answer();
  const answers = await copyToPlain(response, bare.pool, surveyId);
  const ours = grown(ourBefore, await sizesOf(response, ourTables));
  const plain = grown(plainBefore, await sizesOf(bare.pool, plainTables));
  say(`weight, ${shape}: ${answers} answers of ${size.weighed} respondents`);
  return [
    measured(`${shape}_answer_weight`, [ours.answers / answers], [plain.answers / answers], "bytes"),
    measured(`${shape}_response_weight`, [ours.total / size.weighed], [plain.total / size.weighed], "bytes"),
  ];
}

interface Sizes {
  answers: number;
  respondents: number;
}

async function sizesOf(pool: Pool, tables: typeof ourTables): Promise<Sizes> {
  const sizeOf = async (names: string[]) => {
    for (const name of names) await pool.query(`VACUUM ${name}`);
    const { rows } = await pool.query(
      "SELECT sum(pg_total_relation_size(name))::int8 AS size FROM unnest($1::regclass[]) name",
      [names],
    );
    return Number(rows[0].size);
  };
  return { answers: await sizeOf(tables.answers), respondents: await sizeOf(tables.respondents) };
}

function grown(before: Sizes, after: Sizes) {
  const answers = after.answers - before.answers;
  return { answers, total: answers + after.respondents - before.respondents };
}
