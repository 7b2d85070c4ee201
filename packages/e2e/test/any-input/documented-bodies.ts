import { expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import {
  addressOf,
  documentedOperations,
  exampleBodies,
  operationsAtOnce,
  type DocumentedOperation,
} from "./documented-operations.ts";
import { api, dropSubscription, withPrepared, type Prepared } from "./prepared-system.ts";

/** Sends the document's example bodies. */
export function testDocumentedBodies(): void {
  test("every example of a body is taken once its ids exist", async () => {
    const answers: string[] = [];
    const sendExamples = async ({ method, path, operation }: DocumentedOperation, prepared: Prepared) => {
      const headers = exampleHeaders(operation);
      for (const [name, body] of exampleBodies(operation, prepared)) {
        const answer = await api.call(method, addressOf(path, prepared.ids), { body, headers });
        answers.push(`${operation.operationId} ${name}: ${answer.status < 300 ? "taken" : answer.raw}`);
        // The next example may use the same address.
        if (path === "/event-subscriptions" && answer.status < 300) await dropSubscription(answer.data.id);
      }
    };
    await operationsAtOnce.map(documentedOperations().filter(hasBody), (target) =>
      withPrepared(target, (prepared) => sendExamples(target, prepared)),
    );
    expect(answers.filter((answer) => !answer.endsWith(": taken"))).toEqual([]);
    expect(answers.length).toBeGreaterThan(12);
  }, 300_000);
}

const hasBody = ({ operation }: DocumentedOperation) => operation.requestBody !== undefined;

/** Headers with the document's examples. */
function exampleHeaders({ parameters = [] }: Json): Record<string, string> {
  const shown = parameters.filter((parameter: Json) => parameter.in === "header" && parameter.example);
  return Object.fromEntries(shown.map(({ name, example }: Json) => [name, example]));
}
