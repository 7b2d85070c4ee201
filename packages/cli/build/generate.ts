import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { webhookExamples, type Document } from "./webhook-examples.ts";

// Makes `gen/` from the OpenAPI document that the gateway writes.
const input = join(import.meta.dirname, "../../../gateway/gen/openapi.json");
const gen = join(import.meta.dirname, "../gen");
const document = JSON.parse(await readFile(input, "utf8")) as Document;
const examples = JSON.stringify(webhookExamples(document), null, 2);
await mkdir(gen, { recursive: true });
await writeFile(join(gen, "webhook-examples.ts"), `export const webhookExamples = ${examples};\n`);
