import pLimit from "p-limit";
import { expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import { addressOf, documentedOperations, type DocumentedOperation } from "./documented-operations.ts";
import { api } from "./prepared-system.ts";

const names = [
  "surveyId",
  "pageId",
  "elementId",
  "choiceId",
  "respondentId",
  "code",
  "tokenId",
  "distributorId",
  "subscriptionId",
  "backupId",
  "versionId",
  "language",
];
const ids = (text: string) => Object.fromEntries(names.map((name) => [name, text]));

/** Tests that errors found without a look-up come before an absent id's. */
export function testShapeBeforeAbsence(): void {
  test("a wrong shape is told at every operation before the absence of what it is about", async () => {
    const answers: string[] = [];
    await pLimit(8).map(documentedOperations().filter(isEvaluated), async ({ method, path, operation }) => {
      for (const id of ["0000000000000000", "no-id"]) {
        const address = addressOf(path, ids(id));
        const headers: Record<string, string> = takesTag(operation) ? { "if-match": '"stale"' } : {};
        const body = method === "GET" ? {} : { body: wrongBody(operation) };
        const wrong = [
          await api.call(method, `${address}?surprise=1`, { headers, body: exampleBody(operation) }),
          ...(method === "GET" ? [] : [await api.call(method, address, { headers, ...body })]),
        ];
        for (const { status, raw } of wrong) {
          answers.push(`${operation.operationId} ${id} ${[400, 422].includes(status) ? "as it should" : raw}`);
        }
        const { status } = await api.call(method, `${address}${requiredQuery(operation, id)}`, {
          headers,
          body: exampleBody(operation),
        });
        answers.push(`${operation.operationId} ${id} ${[403, 404].includes(status) ? "as it should" : status}`);
      }
    });
    expect(answers.filter((answer) => !answer.endsWith("as it should"))).toEqual([]);
    expect(answers.length).toBeGreaterThan(40);
  }, 300_000);

  test("a used key comes before a missing tag, that before a wrong body, that before a stale tag", async () => {
    const { data } = await api.post("/surveys", { name: "In order" });
    const patch = async (headers: Record<string, string>, body: Json) => {
      const answer = await api.call("PATCH", `/surveys/${data.id}`, { headers, body });
      return answer.body.error?.code ?? answer.status;
    };
    const used = { "idempotency-key": "in-order-1" };
    const wrong = { name: 5 };
    expect(await patch({ ...used, "if-match": "*" }, { name: "Once" })).toBe(200);
    expect(await patch(used, wrong)).toBe("idempotency_key_reused");
    expect(await patch(used, { name: "Once" })).toBe(200);
    expect(await patch({}, wrong)).toBe("precondition_required");
    expect(await patch({ "if-match": '"stale"' }, wrong)).toBe("validation_failed");
    expect(await patch({ "if-match": '"stale"' }, { name: "Twice" })).toBe("precondition_failed");
  });
}

/** Excludes operations with a respondent token: they check the token first. */
const isEvaluated = ({ path, operation }: DocumentedOperation) =>
  path.includes("{") &&
  takesJson(operation) &&
  !operation.parameters.some(({ name }: Json) => name === "X-Respondent-Token");

/** A file is read only once the survey that it is about is there. */
const takesJson = ({ requestBody }: Json): boolean =>
  requestBody === undefined || requestBody.content["application/json"] !== undefined;

const takesTag = ({ parameters }: Json): boolean => parameters.some(({ name }: Json) => name === "If-Match");

const exampleBody = ({ requestBody }: Json): Json =>
  Object.values<Json>(requestBody?.content["application/json"].examples ?? {})[0]?.value;

function requiredQuery({ parameters = [] }: Json, id: string): string {
  const names = parameters.filter((each: Json) => each.in === "query" && each.required).map(({ name }: Json) => name);
  return names.length === 0 ? "" : `?${new URLSearchParams(names.map((name: string) => [name, id])).toString()}`;
}

/** The example body with a wrong type in its first field. */
function wrongBody(operation: Json): Json {
  const example = exampleBody(operation) ?? {};
  const [field = "surprise"] = Object.keys(example);
  return { ...example, [field]: { surprise: [{}] } };
}
