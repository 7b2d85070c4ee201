import { parquetReadObjects } from "hyparquet";
import papaparse from "papaparse";
import pLimit from "p-limit";
import readExcelFile from "read-excel-file/node";
import { waitFor } from "@canvass/testing";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, test } from "vitest";
import {
  bfiAnswers,
  createApiClient,
  publishBfiSurvey,
  readBfiItems,
  readBfiRespondents,
  type ApiClient,
  type BfiRespondent,
  type BfiSurvey,
  type DemoSystem,
  type OtherWorkspace,
} from "../../src/index.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SharedSystem } from "../shared-system.ts";

// The package supports only `require`.
const { SavBufferReader } = createRequire(import.meta.url)("sav-reader") as {
  SavBufferReader: new (file: Buffer) => {
    open(): Promise<void>;
    readAllRows(includeNulls: boolean): Promise<Record<string, unknown>[]>;
    meta: { sysvars: { name: string; label: string }[]; getValueLabels(name: string): { label: string }[] | null };
  };
};

const items = readBfiItems();
/** One in seven of the file's respondents. */
const people = readBfiRespondents(items).filter((_person, index) => index % 7 === 0);
let demo: DemoSystem;
let api: ApiClient;
let survey: BfiSurvey;
let other: OtherWorkspace;
/** The file's respondents by their ids in the system. */
const sent = new Map<string, BfiRespondent>();

async function request(body: object): Promise<string> {
  return (await api.post(`/exports/surveys/${survey.surveyId}`, body)).data.id;
}

async function addressOf(exportId: string): Promise<string> {
  const done = async () => (await api.get(`/exports/${exportId}`)).data.status === "completed";
  await waitFor(done, { describe: "the export" });
  return (await api.get(`/exports/${exportId}/download`)).data.url;
}

async function fileOf(body: object): Promise<Buffer> {
  const answer = await fetch(await addressOf(await request(body)));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

type Cell = string | number | null;

/** The expected file: a row for each respondent by id, cells in the order of the items. */
function expectedRows(write: (code: number, item: (typeof items)[number]) => Cell): Record<string, Cell[]> {
  const rows = [...sent].map(([respondentId, person]) => [
    respondentId,
    items.map((item) => {
      const code = person.get(item.key);
      return code === undefined ? null : write(code, item);
    }),
  ]);
  return Object.fromEntries(rows) as Record<string, Cell[]>;
}
const labelled = () => expectedRows((code, { choices }) => choices?.[code - 1] ?? code);
const byId = (rows: readonly (readonly unknown[])[]) =>
  Object.fromEntries(rows.map((row) => [row[0] as string, row.slice(9)]));
const headings = items.map(({ text }) => text);

/** Tests exports of real respondents' answers in every format. */
export function testExportedFiles(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    ({ api } = await shared.newWorkspace());
    other = await shared.newWorkspace();
    survey = await publishBfiSurvey(api, items);
    const path = `/response/surveys/${survey.surveyId}`;
    await pLimit(32).map(people, async (person) => {
      const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
      await api.post(path, { respondentId, responses: bfiAnswers(survey, items, person) });
      sent.set(respondentId, person);
    });
  });

  describe("the BFI file comes back cell by cell", () => {
    test("as csv", async () => {
      const { data } = papaparse.parse<string[]>((await fileOf({ format: "csv" })).toString(), {
        skipEmptyLines: true,
      });
      expect(data[0]!.slice(9)).toEqual(headings);
      const texts = Object.entries(labelled()).map(([id, cells]) => [id, cells.map((cell) => String(cell ?? ""))]);
      expect(byId(data.slice(1))).toEqual(Object.fromEntries(texts));
    });

    test("as csv under the names of the questions", async () => {
      const file = (await fileOf({ format: "csv", headings: "names" })).toString();
      const { data } = papaparse.parse<Record<string, string>>(file, { header: true, skipEmptyLines: true });
      expect(Object.keys(data[0]!).slice(9)).toEqual(items.map(({ key }) => key));
      const ages = data.map((row) => [row["respondentId"], row["age"]]);
      expect(Object.fromEntries(ages)).toEqual(
        Object.fromEntries([...sent].map(([id, person]) => [id, String(person.get("age") ?? "")])),
      );
    });

    test("as xlsx", async () => {
      const read = await readExcelFile(await fileOf({ format: "xlsx" }));
      const rows = ((read[0] as unknown as { data?: unknown[][] }).data ?? read) as unknown[][];
      expect(rows[0]!.slice(9)).toEqual(headings);
      expect(byId(rows.slice(1))).toEqual(labelled());
    });

    test("as json and ndjson", async () => {
      const objects = JSON.parse((await fileOf({ format: "json" })).toString()) as Record<string, Cell>[];
      expect(byId(objects.map((row) => Object.values(row)))).toEqual(labelled());
      const lines = (await fileOf({ format: "ndjson" })).toString().split("\n").slice(0, -1);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(objects);
    });

    test("as sav, in codes with labels", async () => {
      const reader = new SavBufferReader(await fileOf({ format: "sav" }));
      await reader.open();
      const { sysvars } = reader.meta;
      const rows = (await reader.readAllRows(true)).map((row) => sysvars.map(({ name }) => row[name] ?? null));
      expect(byId(rows)).toEqual(expectedRows((code) => code));
      expect(sysvars.slice(9).map(({ label }) => label)).toEqual(headings);
      expect(sysvars.slice(9).map(({ name }) => name)).toEqual(items.map(({ key }) => key));
      const choices = items.flatMap((item, index) => (item.choices ? [[index, item.choices] as const] : []));
      for (const [index, labels] of choices) {
        const found = reader.meta.getValueLabels(sysvars[9 + index]!.name)!;
        expect(found.map(({ label }) => label)).toEqual(labels);
      }
    });

    test("as parquet", async () => {
      const file = await fileOf({ format: "parquet" });
      const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
      const rows = await parquetReadObjects({ file: buffer });
      expect(byId(rows.map((row) => Object.values(row)))).toEqual(labelled());
      expect(Object.keys(rows[0]!).slice(9)).toEqual(items.map(({ key }) => key));
    });
  });

  test("a file's address needs no token, takes ranges, and is refused when it was changed", async () => {
    const url = await addressOf(await request({ format: "csv" }));
    const whole = await fetch(url);
    expect(whole.headers.get("content-disposition")).toMatch(/^attachment; filename="?responses-[\w-]+\.csv"?$/);
    const text = await whole.text();
    expect(whole.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    const part = await fetch(url, { headers: { range: "bytes=100-199" } });
    expect([part.status, await part.text()]).toEqual([206, Buffer.from(text).subarray(100, 200).toString()]);
    const changed = await fetch(url.replace(/.$/, (last) => (last === "A" ? "B" : "A")));
    expect([changed.status, ((await changed.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      "export_not_found",
    ]);
    await using stranger = createApiClient(demo.system.local.baseUrl, "");
    expect((await stranger.call("GET", `/exports/${"0".repeat(16)}`)).status).toBe(401);
  });

  test("another workspace's exports are absent", async () => {
    const exportId = await request({ format: "csv" });
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/download"],
      ["DELETE", ""],
    ] as const) {
      expectRefusal(await other.api.call(method, `/exports/${exportId}${path}`), 404, "export_not_found", {});
    }
    await addressOf(exportId);
  });
}
