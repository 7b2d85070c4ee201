import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inParallel, startDemoSystem, type DemoSystem, type Json } from "../src/index.ts";
import { expectNoLeak } from "./expected-shapes.ts";
import { schemaArbitrary } from "./schema-arbitrary.ts";
import { publishSmallSurvey, startRespondent } from "./small-survey.ts";

const requests = 20_000;
let demo: DemoSystem;
/** Ids that exist, by the names of path parameters. */
let ids: Record<string, string>;
let known: string[];

beforeAll(async () => {
  demo = await startDemoSystem();
  const { api } = demo;
  const survey = await publishSmallSurvey(api);
  const { choices, ...surveyIds } = survey;
  ids = {
    surveyId: survey.surveyId,
    respondentId: await startRespondent(api, survey),
    subscriptionId: (await api.post("/event-subscriptions", { name: "Feed" })).data.id,
    tokenId: (await api.post("/tokens", { name: "Token" })).data.id,
  };
  known = [...Object.values(ids), ...Object.values(surveyIds), ...choices];
}, 120_000);
afterAll(() => demo?.[Symbol.asyncDispose]());

interface Shot {
  body: Json;
  query: Record<string, string>;
  ifMatch: string | undefined;
}

test(`whatever is sent, no operation fails with a defect (${requests} requests)`, async () => {
  const document = JSON.parse((await demo.api.call("GET", "/openapi.json")).raw);
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const seed = fc.readConfigureGlobal().seed ?? Date.now() % 1_000_000;
  expect(operations.length).toBeGreaterThan(20);
  for (const { method, path, operation } of operations) {
    const numRuns = isRepeatable(method, path) ? Math.ceil(requests / operations.length) : 1;
    const shots = fc.sample(shotArbitrary(document, operation), { numRuns, seed });
    await inParallel(shots, 16, (shot) => expectNoDefect(method, path, shot, seed));
  }
}, 300_000);

/** Deleting and rotating leave nothing behind that could be asked again. */
const isRepeatable = (method: string, path: string) => method !== "DELETE" && !path.endsWith("/rotate");

function shotArbitrary(document: Json, operation: Json): fc.Arbitrary<Shot> {
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  const parameters: Json[] = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === "query");
  const value = fc.oneof(fc.constantFrom("0", "1", "101", "-1", "name", "true", "\u0000"), fc.string());
  return fc.record({
    body: schema ? schemaArbitrary({ document, known }, schema) : fc.constant(undefined),
    query: fc.record(Object.fromEntries(parameters.map(({ name }) => [name, value])), { requiredKeys: [] }),
    ifMatch: fc.constantFrom("*", '"x"', undefined),
  }) as fc.Arbitrary<Shot>;
}

async function expectNoDefect(
  method: string,
  path: string,
  { body, query, ifMatch }: Shot,
  seed: number,
): Promise<void> {
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name]!);
  const answer = await demo.api.call(method, `${address}?${new URLSearchParams(query).toString()}`, {
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: ifMatch === undefined ? {} : { "if-match": ifMatch },
  });
  const shot = `seed ${seed}: ${method} ${address} ${JSON.stringify({ body, query, ifMatch })}: ${answer.raw}`;
  expect(answer.status, shot).toBeLessThan(500);
  if (answer.status >= 400) expectNoLeak(JSON.stringify(answer.body.error!.message));
}
