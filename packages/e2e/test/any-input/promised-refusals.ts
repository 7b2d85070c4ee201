import { errorCodesOf } from "../../../../gateway/test/fuzz/resolve-references.ts";
import pLimit from "p-limit";
import { expect, test } from "vitest";
import type { ApiResponse, Json } from "../../src/index.ts";
import { openDatabases } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import { addressOf, documentedOperations, exampleBodies, type DocumentedOperation } from "./documented-operations.ts";
import {
  api,
  demo,
  dropSubscription,
  dropSubscriptions,
  newImageChoice,
  newPausedWebhook,
  withPrepared,
  type Prepared,
} from "./prepared-system.ts";
import { prepareRefusals } from "./refusal-scene.ts";
import { refusalWays, refusedElsewhere, type Deviation } from "./refusal-ways.ts";

const usedKey = "used-before";
const reuse = "idempotency_key_reused";

/**
 * Tests that every operation of authoring and events gives every refusal that the document promises, and writes
 * nothing.
 */
export function testPromisedRefusals(): void {
  test("each operation of authoring and events is refused as the document promises, and nothing is written", async () => {
    await using databases = openDatabases(demo.system.local.databaseUrl);
    await dropSubscriptions();
    const targets = documentedOperations().filter(isCovered);
    expect(targets.length).toBeGreaterThanOrEqual(46);
    const scene = await prepareRefusals(databases);
    // A webhook that receives events would have retries, which change rows during the test.
    await dropSubscription(scene.prepared.ids.subscriptionId);
    scene.prepared.ids.subscriptionId = (await newPausedWebhook()).id;
    const used = await useKeys(targets);
    const got: string[] = [];
    await databases.countRows();
    // The scene's webhooks also got completions. Removes failed deliveries, whose retries would change rows during the
    // test.
    await databases.query("delivery", "DELETE FROM due_deliveries");
    let before = await databases.fingerprint();
    for (const target of targets) {
      const { operationId } = target.operation;
      for (const { code, status } of promisesOf(target)) {
        const reused = used.get(operationId);
        const answer =
          code === reuse
            ? await send(target, reused!, { headers: { "idempotency-key": usedKey }, body: otherBody(target) })
            : await send(target, scene.prepared, refusalWays[code]!(scene, target));
        if (answer.status === status && answer.body.error?.code === code) expectRefusal(answer, status, code);
        else got.push(`${operationId} ${code}: ${answer.status} ${answer.raw.slice(0, 300)}`);
      }
      const after = await databases.fingerprint();
      const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
      if (changed.length > 0) got.push(`${operationId} left a trace in ${changed.join(", ")}`);
      before = after;
    }
    // A workspace has at most twenty, and later requests need room.
    await dropSubscriptions();
    expect(got).toEqual([]);
  }, 300_000);
}

/** An operation without a body refuses any body before it checks the key. */
const otherBody = ({ operation }: DocumentedOperation) => (operation.requestBody ? { surprise: true } : {});

/** Without those that take a file, which has no example: gateway/test/questionnaires.test.ts refuses files. */
const isCovered = ({ path, operation }: DocumentedOperation) =>
  !takesFile(operation) &&
  (["Surveys", "Elements", "Publishing", "Events"].includes(operation.tags[0]) || path.startsWith("/nps/"));

const takesFile = ({ requestBody }: Json): boolean =>
  requestBody !== undefined && !requestBody.content["application/json"];

interface Promised {
  code: string;
  status: number;
}

function promisesOf({ operation }: DocumentedOperation): Promised[] {
  const answers = Object.entries<Json>(operation.responses).filter(([status]) => Number(status) >= 400);
  const promised = answers.flatMap(([status, { content }]) =>
    Object.keys(content["application/json"].examples).map((code) => ({ code, status: Number(status) })),
  );
  const provoked = promised.filter(({ code }) => !refusedElsewhere.has(code) && !isStorageQuota(code, operation));
  expect(provoked.map(({ code }) => code).filter((code) => code !== reuse && !refusalWays[code])).toEqual([]);
  return provoked;
}

/**
 * Writes that add no questions are refused only if the workspace stores too much;
 * services/survey/test/storage-quota.test.ts tests that.
 */
const isStorageQuota = (code: string, { operationId }: Json) =>
  code === "quota_exceeded" &&
  !["createSurvey", "addQuestions", "restoreBackup", "restoreVersion"].includes(operationId);

/** Sends each valid write with a key. Returns the resources that it used, by operation. */
async function useKeys(targets: readonly DocumentedOperation[]): Promise<Map<string, Prepared>> {
  const keyed = targets.filter(({ operation }) => errorCodesOf(operation as never).includes(reuse));
  const used = await pLimit(4).map(keyed, (target) =>
    withPrepared(target, async (prepared) => {
      if (target.path.includes("/image-choice/")) prepared.ids["choiceId"] = await newImageChoice(prepared);
      const { status, raw } = await send(target, prepared, { headers: { "idempotency-key": usedKey } });
      expect(status, `${target.operation.operationId} ${raw}`).toBeLessThan(300);
      return [target.operation.operationId as string, prepared] as const;
    }),
  );
  return new Map(used);
}

/** Sends the operation's first example, changed by the deviation. */
function send(
  { method, path, operation }: DocumentedOperation,
  prepared: Prepared,
  { ids = {}, headers = {}, query = "", without, ...given }: Deviation,
): Promise<ApiResponse> {
  const parameters: Json[] = operation.parameters ?? [];
  const needed = parameters.filter((each) => each.required && each.in === "query").map(({ name }) => name as string);
  const known: Record<string, string> = { ...prepared.ids };
  for (const name in known) known[name] = ids[name.split(" ").at(-1)!] ?? known[name]!;
  const search = [...needed.map((name) => `${name}=${known[name]}`), ...(query ? [query] : [])].join("&");
  const [example] = exampleBodies(operation, prepared);
  const body = "body" in given ? given.body : without === "body" ? undefined : example?.[1];
  const needsMatch = parameters.some(({ name, required }) => name === "If-Match" && required) && without !== "if-match";
  return api.call(method, addressOf(path, known) + (search && `?${search}`), {
    headers: { ...(needsMatch && { "if-match": "*" }), ...headers },
    ...(body !== undefined && { body }),
  });
}
