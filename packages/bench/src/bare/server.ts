import { fastify } from "fastify";
import { Pool } from "pg";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { AddressInfo } from "node:net";
import { surveyQuery } from "./survey-query.ts";

// The bare program: the simplest server with the same reads and durable writes. One process, without authentication,
// limits, envelope, validation or counters.
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });
const server = fastify();

interface SubmissionBody {
  respondentId: string;
  pageId: string;
  isLast: boolean;
  responses: { elementId: string; value: unknown }[];
}

server.get<{ Params: { id: string } }>("/surveys/:id", async ({ params }, reply) => {
  const { rows } = await pool.query(surveyQuery(params.id));
  return rows[0] ?? reply.code(404).send();
});

server.get<{ Params: { id: string } }>("/surveys/:id/elements", async ({ params }) => {
  const { rows } = await pool.query({
    name: "elements",
    text: `SELECT element_id AS id, survey_id AS "surveyId", page_id AS "pageId", type, type_name AS "typeName",
      question_id AS "questionId", sort_order AS "sortOrder", question_text AS "questionText", help_text AS "helpText",
      created_at AS "createdAt", updated_at AS "updatedAt" FROM elements WHERE survey_id = $1
      ORDER BY page_id, sort_order LIMIT 50`,
    values: [params.id],
  });
  return rows;
});

server.get<{ Params: { id: string } }>("/surveys/:id/answers", ({ params }, reply) => {
  reply.type("application/x-ndjson").send(Readable.from(answerLines(params.id)));
});

server.get<{ Params: { id: string }; Querystring: { skipped: string } }>(
  "/surveys/:id/page",
  async ({ params, query }) => {
    const { rows } = await pool.query({
      name: "page",
      text: `SELECT answer_id AS id, respondent_id AS "respondentId", element_id AS "elementId", value,
          submitted_at AS "submittedAt" FROM answers
        WHERE survey_id = $1 AND (submitted_at, answer_id) > ($2, $3) ORDER BY submitted_at, answer_id LIMIT 100`,
      values: await placeOf(params.id, Number(query.skipped)),
    });
    return rows;
  },
);

const places = new Map<string, unknown[]>();

/**
 * Position of the answer that comes after `skipped` others. Cached: a client would know it from the previous page.
 */
async function placeOf(surveyId: string, skipped: number): Promise<unknown[]> {
  const key = `${surveyId} ${skipped}`;
  if (!places.has(key)) {
    const text = `SELECT submitted_at, answer_id FROM answers WHERE survey_id = $1 ORDER BY submitted_at, answer_id
      OFFSET $2 LIMIT 1`;
    const { rows } = await pool.query(text, [surveyId, skipped]);
    places.set(key, [surveyId, rows[0].submitted_at, rows[0].answer_id]);
  }
  return places.get(key)!;
}

server.get<{ Params: { id: string } }>("/surveys/:id/results", async ({ params }) => {
  const { rows } = await pool.query({
    name: "results",
    text: `SELECT element_id AS "elementId", value, count(*)::int AS responses FROM answers WHERE survey_id = $1
      GROUP BY element_id, value`,
    values: [params.id],
  });
  return rows;
});

async function* answerLines(surveyId: string): AsyncGenerator<string> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN READ ONLY");
    await client.query(
      `DECLARE walk CURSOR FOR SELECT answer_id AS id, respondent_id AS "respondentId", element_id AS "elementId", value,
         submitted_at AS "submittedAt" FROM answers WHERE survey_id = $1 ORDER BY submitted_at, answer_id`,
      [surveyId],
    );
    for (;;) {
      const { rows } = await client.query<object>("FETCH 5000 FROM walk");
      if (rows.length === 0) break;
      yield rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    }
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

server.post<{ Params: { id: string }; Body: SubmissionBody }>("/surveys/:id/answers", async ({ params, body }) => {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query({
      name: "respondent",
      text: `UPDATE respondents SET page_id = $3, last_seen_at = now(), completed_at = CASE WHEN $4 THEN now() END
        WHERE survey_id = $1 AND respondent_id = $2`,
      values: [params.id, body.respondentId, body.pageId, body.isLast],
    });
    await client.query({
      name: "answers",
      text: `INSERT INTO answers SELECT $1, $2, a.element_id, a.answer_id, a.value, now()
        FROM unnest($3::text[], $4::text[], $5::jsonb[]) AS a (element_id, answer_id, value)
        ON CONFLICT (survey_id, respondent_id, element_id) DO UPDATE SET value = excluded.value`,
      values: [
        params.id,
        body.respondentId,
        body.responses.map(({ elementId }) => elementId),
        body.responses.map(() => randomUUID()),
        body.responses.map(({ value }) => JSON.stringify(value)),
      ],
    });
    if (body.isLast) {
      await client.query({
        name: "outbox",
        text: "INSERT INTO outbox (event_id, payload) VALUES ($1, $2)",
        values: [randomUUID(), JSON.stringify({ survey: params.id, respondent: body.respondentId })],
      });
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
  return { responses: body.responses.map(({ elementId }) => ({ elementId, status: "submitted" })) };
});

await server.listen({ host: "127.0.0.1", port: 0 });
process.once("disconnect", () => process.exit(0));
process.send!({ url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` });
