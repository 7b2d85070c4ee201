import { createClient } from "@hey-api/openapi-ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unkeyedWrites, type Document } from "./unkeyed-writes.ts";

// Makes `gen/` from the OpenAPI document that the gateway writes.
const gen = join(import.meta.dirname, "../gen");
const input = join(import.meta.dirname, "../../../gateway/gen/openapi.json");

await createClient({
  input,
  output: { path: join(gen, "api"), module: { extension: ".ts" } },
  logs: { level: "silent", file: false },
  plugins: [
    { name: "@hey-api/client-fetch", throwOnError: true, baseUrl: false },
    { name: "@hey-api/sdk", operations: { strategy: "single", containerName: "CanvassApi", methods: "instance" } },
  ],
});
// Node's types do not name what a browser's call `BodyInit`.
const client = join(gen, "api/client/client.gen.ts");
const code = await readFile(client, "utf8");
await writeFile(client, code.replaceAll("BodyInit | null | undefined", "RequestInit['body']"));
const document = JSON.parse(await readFile(input, "utf8")) as Document;
await writeFile(
  join(gen, "unkeyed-writes.ts"),
  `export const unkeyedWrites: readonly string[] = ${JSON.stringify(unkeyedWrites(document), null, 2)};\n`,
);
