import fc from "fast-check";
import pLimit from "p-limit";
import { expect, test } from "vitest";
import type { ApiResponse, Json } from "../../src/index.ts";
import { repeatUntilFinal } from "../../src/repeat-until-final.ts";
import { expectNoLeak } from "../expected-shapes.ts";
import { addressOf, documentedOperations, exampleBodies, type DocumentedOperation } from "./documented-operations.ts";
import {
  addFinishedExport,
  api,
  demo,
  document,
  dropSubscription,
  newChoice,
  newDistributor,
  newContact,
  newElement,
  newExport,
  newImageChoice,
  newSurvey,
  newToken,
  newWebhook,
  type Prepared,
  withPrepared,
} from "./prepared-system.ts";
import { startRespondent } from "../small-survey.ts";
import { shotArbitrary, type Shot } from "./shot-arbitrary.ts";

export interface ShotCounts {
  requests: number;
  /** Requests for each operation that ends its resource. Each request gets a new resource. */
  usingUp: number;
}

const somethingNew: Record<string, (prepared: Prepared, path: string) => Promise<string>> = {
  tokenId: newToken,
  subscriptionId: newWebhook,
  surveyId: newSurvey,
  elementId: newElement,
  respondentId: ({ survey }) => startRespondent(api, survey),
  distributorId: ({ survey }) => newDistributor(survey.surveyId),
  exportId: newExport,
  contactId: newContact,
  choiceId: (prepared, path) => (path.includes("/image-choice/") ? newImageChoice(prepared) : newChoice(prepared)),
};

/** Sends requests generated from the document to every operation. */
export function testAnyShots(counts: ShotCounts): void {
  test(`no operation fails with a defect (${counts.requests} requests)`, async () => {
    const { seed = Date.now() % 1_000_000 } = fc.readConfigureGlobal();
    const all: number[] = [];
    const shared = shares(documentedOperations().filter(takesNoFile), counts);
    // With one seed for all operations, a seed that breaks most requests of one would break most requests of all.
    const seeds = fc.sample(fc.integer(), { numRuns: shared.length, seed });
    for (const [index, { count, ...target }] of shared.entries()) {
      const statuses = await withPrepared(target, (prepared) => shootAt(target, prepared, count, seeds[index]!));
      all.push(...statuses);
      // Each operation must succeed at least once, or the test proves nothing. A fifth of 60 requests succeed; only a
      // tenth in one run of thirty.
      const { method, path } = target;
      expect(takenOf(statuses), `taken of ${count} ${method} ${path}, seed ${seed}`).toBeGreaterThan(0);
    }
    expect(all).toHaveLength(counts.requests);
    expect(takenOf(all), `taken, seed ${seed}`).toBeGreaterThan(counts.requests / 10);
  }, 900_000);
}

const takenOf = (statuses: readonly number[]): number => statuses.filter((status) => status < 300).length;

/** Uploads and translators' files are not JSON: the gateway's and the survey service's tests send them. */
const takesNoFile = ({ operation: { requestBody } }: DocumentedOperation) =>
  requestBody === undefined || "application/json" in requestBody.content;

const usesUp = ({ method, path }: DocumentedOperation) =>
  method === "DELETE" || /\/(?:rotate|publish|anonymize)$/.test(path);

/** Shares the requests among operations: the more parts can be wrong, the more requests. */
function shares(
  operations: DocumentedOperation[],
  { requests, usingUp }: ShotCounts,
): (DocumentedOperation & { count: number })[] {
  const lasting = operations.filter((operation) => !usesUp(operation));
  let weights = lasting.reduce((sum, operation) => sum + weightOf(operation), 0);
  let left = requests - (operations.length - lasting.length) * usingUp;
  return operations.map((operation) => {
    if (usesUp(operation)) return { ...operation, count: usingUp };
    const weight = weightOf(operation);
    const count = Math.ceil((left * weight) / weights);
    left -= count;
    weights -= weight;
    return { ...operation, count };
  });
}

/** Counts the parts that can be wrong: ids and headers, query parameters, and a body. */
function weightOf({ operation: { parameters = [], requestBody } }: DocumentedOperation): number {
  const hasQuery = parameters.some((parameter: Json) => parameter.in === "query");
  return 1 + (hasQuery ? 1 : 0) + (requestBody ? 3 : 0);
}

/** Sends requests to an operation with resources prepared for it. Returns the statuses. */
async function shootAt(
  target: DocumentedOperation,
  prepared: Prepared,
  count: number,
  seed: number,
): Promise<number[]> {
  if (/\{(?:exportId|downloadToken)\}/.test(target.path) && !usesUp(target)) await addFinishedExport(prepared);
  const { survey, ids } = prepared;
  const { choices, ...surveyIds } = survey;
  const bodies = exampleBodies(target.operation, prepared).map(([, body]) => body);
  const known = [...Object.values(ids), ...Object.values(surveyIds), ...choices];
  const context = { document, known, bodies, ids, workspaceId: demo.system.local.workspaceId };
  const shots = fc.sample(shotArbitrary(context, target.path, target.operation), { numRuns: count, seed });
  const statuses: number[] = [];
  await pLimit(16).map(shots, async (shot) => {
    const { status } = await shoot(target, shot, prepared, seed);
    statuses.push(status);
  });
  return statuses;
}

/** Sends a request and asserts that the response is not a defect. */
async function shoot(target: DocumentedOperation, shot: Shot, prepared: Prepared, seed: number): Promise<ApiResponse> {
  const { method, path } = target;
  const fresh = usesUp(target) ? await newIds(path, shot, prepared) : {};
  const address = addressOf(path, { ...prepared.ids, ...fresh, ...shot.ids });
  const { query, headers } = shot;
  const body = shot.body === undefined ? undefined : JSON.stringify(shot.body);
  const send = () => api.call(method, `${address}?${new URLSearchParams(query).toString()}`, { body, headers });
  const answer = await repeatUntilFinal(send, { describe: `${method} ${address}` });
  if (answer.status >= 500) expect.fail(`seed ${seed}: ${method} ${address} ${JSON.stringify(shot)}: ${answer.raw}`);
  if (answer.status >= 400) expectNoLeak(JSON.stringify(answer.body.error!.message));
  const made = path === "/event-subscriptions" && answer.status === 201 ? answer.data.id : fresh["subscriptionId"];
  if (made) await dropSubscription(made);
  return answer;
}

/** Creates a new resource for the last id of the path, unless the request names one. */
async function newIds(path: string, { ids }: Shot, prepared: Prepared): Promise<Record<string, string>> {
  const name = [...path.matchAll(/\{(\w+)\}/g)].at(-1)![1]!;
  if (name in ids) return {};
  const make = somethingNew[name];
  if (!make) throw new Error(`say how to make something new for ${name}, which ${path} uses up`);
  return { [name]: await make(prepared, path) };
}
