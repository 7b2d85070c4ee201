import { runCanvass } from "@canvass/operator";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { createCanvass, type Api } from "@canvass/sdk";
import { Ajv2020 } from "ajv/dist/2020.js";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OtherWorkspace } from "../../src/index.ts";
import { formOf } from "../../src/upload-file.ts";
import { publishEveryType } from "../every-type.ts";
import type { SharedSystem } from "../shared-system.ts";

const compiler = join(WORKSPACE_ROOT, "packages/e2e/node_modules/typescript/bin/tsc");

/** Tests `canvass types` with real answers to a question of every type. */
export function testAnswerTypes(shared: SharedSystem): void {
  let folder: string;
  let workspace: OtherWorkspace;
  let surveyId: string;
  let rows: Api.AnswerRow[];

  const at = (name: string) => join(folder, name);
  async function types(...words: string[]) {
    let [stdout, stderr] = ["", ""];
    const env = { CANVASS_URL: new URL(shared.demo.system.local.baseUrl).origin, CANVASS_TOKEN: workspace.token };
    const output = { out: (text: string) => (stdout += text), err: (text: string) => (stderr += text) };
    const code = await runCanvass(["types", surveyId, ...words], env, output);
    return { code, stdout, stderr };
  }
  const compile = (...files: string[]) =>
    new Promise<string>((resolve) => {
      const options = "--noEmit --strict --target es2022 --lib es2022 --skipLibCheck --module nodenext".split(" ");
      execFile(process.execPath, [compiler, ...options, ...files.map(at)], (_error, stdout) => resolve(stdout));
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "canvass-types-"));
    workspace = await shared.newWorkspace();
    const { api, token } = workspace;
    const { baseUrl } = shared.demo.system.local;
    surveyId = await publishEveryType(api);
    const canvass = createCanvass({ url: new URL(baseUrl).origin, token });
    const words = ["fill", "--survey", surveyId, "--responses", "60", "--seed", "7", "--base-url", baseUrl];
    const quiet = { out: () => {}, err: () => {} };
    expect(await runCanvass([...words, "--token", token], {}, quiet)).toBe(0);
    const { respondentId } = await canvass.responses.start(surveyId);
    const { data: elements } = await api.get(`/surveys/${surveyId}/elements?limit=100`);
    const { id: elementId } = elements.find(({ typeName }: { typeName: string }) => typeName === "file_upload");
    const form = formOf({ surveyId, elementId, respondentId }, "notes.pdf", "%PDF-1.4");
    const { data: uploaded } = await api.call("POST", "/files", form);
    const answer = { elementId, value: [{ fileId: uploaded.fileId }] };
    await api.post(`/response/surveys/${surveyId}`, { respondentId, responses: [answer] });
    rows = await Array.fromAsync(canvass.responses.stream(surveyId));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("real answers of every type fit the JSON Schema, and others do not", async () => {
    expect(new Set(rows.map(({ type }) => type)).size).toBe(19);
    const { stdout } = await types("--format", "json-schema");
    const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(JSON.parse(stdout));
    for (const row of rows) expect(validate(row) || [row, validate.errors]).toBe(true);
    for (const row of rows) {
      const wrong = [
        { elementId: "0000000000000000" },
        { type: "statement" },
        { value: { unknown: { entry: [true] } } },
      ];
      expect([row.type, ...wrong.map((part) => validate({ ...row, ...part }))]).toEqual([
        row.type,
        false,
        false,
        false,
      ]);
    }
  });

  test("they fit the types, by which a breaking publication breaks the compile", async () => {
    expect(await types("--out", at("answers.ts"))).toMatchObject({
      code: 0,
      stdout: `${at("answers.ts")} is written.\n`,
    });
    const real = `import type { Answer } from "./answers.js";\nexport const rows: Answer[] = ${JSON.stringify(
      rows.map(({ elementId, value }) => ({ elementId, value })),
    )};\n`;
    await writeFile(at("real.ts"), real);
    const keyOf = Object.fromEntries(
      [...(await readFile(at("answers.ts"), "utf8")).matchAll(/^ {2}(q_\w+): "(\w+)",$/gm)].map(([, key, id]) => [
        id,
        key,
      ]),
    ) as Record<string, string>;
    const elementOf = (wanted: string) => rows.find(({ type }) => type === wanted)!.elementId;
    const consumer = `import { elementIds, type Answer } from "./answers.js";
export function sum(answers: Answer[]): number {
  let sum = 0;
  for (const answer of answers) {
    if (answer.elementId === elementIds.${keyOf[elementOf("rating")]}) sum += answer.value;
    if (answer.elementId === elementIds.${keyOf[elementOf("dropdown")]}) sum += answer.value.length;
  }
  return sum;
}
`;
    await writeFile(at("consumer.ts"), consumer);
    expect(await compile("real.ts", "consumer.ts")).toBe("");
    await writeFile(at("wrong.ts"), real.replace(/("value":)\d+\b/, "$1true"));
    expect(await compile("wrong.ts")).toContain("not assignable");

    expect(await types("--out", at("answers.ts"), "--check")).toMatchObject({ code: 0 });
    await workspace.api.call("DELETE", `/elements/${elementOf("dropdown")}`);
    expect(await types("--out", at("answers.ts"), "--check")).toMatchObject({ code: 0 });
    const { data: plan } = await workspace.api.get(`/surveys/${surveyId}/publish/changes`);
    await workspace.api.post(`/surveys/${surveyId}/publish`, { acknowledge: [plan.changesId] }, { "if-match": "*" });
    const checked = await types("--out", at("answers.ts"), "--check");
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining("is not current") });
    expect(await compile("consumer.ts")).toBe("");
    await types("--out", at("answers.ts"));
    expect(await compile("consumer.ts")).toContain(keyOf[elementOf("dropdown")]);
    expect((await types("--version", "1", "--out", at("answers.ts"))).code).toBe(0);
    expect(await compile("consumer.ts")).toBe("");
  });

  test("refusals are sentences", async () => {
    expect(await types("--version", "9")).toMatchObject({ code: 1, stderr: expect.stringMatching(/version/) });
    expect(await types("--check")).toMatchObject({ code: 2, stderr: expect.stringContaining("--out") });
    expect((await types("--out", at("no/such/folder.ts"))).stderr).toMatch(/cannot be written/);
  });
}
