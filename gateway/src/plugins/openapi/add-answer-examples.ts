import { answerExample } from "./answer-example.ts";
import type { Operation } from "./complete-document.ts";
import type { ShownSchema } from "./fitting-value.ts";
import type { Schemas } from "./name-schemas.ts";

interface Answer {
  headers?: object;
  content?: Record<string, { schema: ShownSchema; example?: unknown }>;
}

/** Adds an example to each success of an operation, but to files. */
export function addAnswerExamples({ operationId, responses }: Operation, schemas: Schemas): void {
  const successes = Object.entries(responses as Record<string, Answer>).filter(([status]) => status.startsWith("2"));
  for (const [, { headers = {}, content = {} }] of successes) {
    for (const body of Object.values(content)) {
      if (body.schema.format === "binary") continue;
      body.example = withTag(answerExample(body.schema, operationId, schemas), "ETag" in headers);
    }
  }
}

/** Only what has a tag shows it (contract 1.2). */
function withTag(example: unknown, isTagged: boolean): unknown {
  if (typeof example !== "object" || isTagged) return example;
  const { meta, ...answer } = example as { meta?: { etag: string } };
  if (!meta) return example;
  const { etag: _, ...others } = meta;
  return { ...answer, meta: others };
}
