import { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { exampleCrosstab, exampleSeries } from "../src/plugins/openapi/example-tables.ts";
import { startEdge } from "./start-edge.ts";

const surveyId = "01h8x3k9q2m4a7zp";

test("tables are computed by the body as it came, and rendered as the service made them", async () => {
  const asked: unknown[] = [];
  await using edge = await startEdge({
    response: {
      countCrosstab: ({ surveyId: id, bodyJson }) => {
        asked.push([id, JSON.parse(bodyJson)]);
        return { crosstabJson: JSON.stringify(exampleCrosstab) };
      },
      computeSeries: ({ surveyId: id, bodyJson }) => {
        asked.push([id, JSON.parse(bodyJson)]);
        throw new AppError("validation_failed", { by: ["makes more than 1000 points"] });
      },
    },
  });
  const body = { rows: { name: "again", unknown: 1 } };
  const crosstab = await edge.call(`/response/surveys/${surveyId}/crosstabs`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  expect(crosstab).toMatchObject({ status: 200, body: { success: true, data: exampleCrosstab } });
  const series = await edge.call(`/response/surveys/${surveyId}/series`, {
    method: "POST",
    body: JSON.stringify({ by: "day" }),
  });
  expect(series).toMatchObject({ status: 422, body: { error: { details: { by: [expect.any(String)] } } } });
  expect(asked).toEqual([
    [surveyId, body],
    [surveyId, { by: "day" }],
  ]);
});

test("tables take the scope of results, and need no idempotency key", async () => {
  await using edge = await startEdge({
    response: {
      countCrosstab: () => ({ crosstabJson: JSON.stringify(exampleCrosstab) }),
      computeSeries: () => ({ seriesJson: JSON.stringify(exampleSeries) }),
    },
  });
  const stranger = edge.services.issueToken(["surveys:read"]).value;
  for (const path of ["crosstabs", "series"]) {
    const request = { method: "POST", body: "{}" };
    const address = `/response/surveys/${surveyId}/${path}`;
    expect((await edge.call(address, request)).status).toBe(200);
    expect((await edge.call(address, { ...request, token: stranger })).status).toBe(403);
  }
});

test("requests that count answers have three times the deadline of others", async () => {
  const hanging = () => new Promise<never>(() => undefined);
  async function* never(): AsyncGenerator<never> {
    yield await hanging();
  }
  const deadlineMs = 500;
  await using edge = await startEdge(
    { response: { countCrosstab: hanging, computeSeries: hanging, streamAggregation: never } },
    { config: { CANVASS_REQUEST_TIMEOUT_MS: deadlineMs } },
  );
  const endOf = async (path: string, body?: object) => {
    const started = performance.now();
    const given = body && { method: "POST", body: JSON.stringify(body) };
    const { status } = await edge.call(`/response/surveys/${surveyId}/${path}`, given);
    return { status, isLonger: performance.now() - started > 2 * deadlineMs };
  };
  const counting = [
    endOf("crosstabs", { rows: { name: "again" } }),
    endOf("series", { name: "again", by: "day", measure: "mean" }),
    endOf("aggregation?completed=true"),
  ];
  expect(await Promise.all(counting)).toEqual(counting.map(() => ({ status: 504, isLonger: true })));
});
