import { parquetMetadataAsync } from "hyparquet";
import { waitFor } from "@canvass/testing";
import { createRequire } from "node:module";
import readExcelFile from "read-excel-file/node";
import { beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiClient, type OtherWorkspace } from "../../src/index.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SharedSystem } from "../shared-system.ts";

// The package supports only `require`.
const { SavBufferReader } = createRequire(import.meta.url)("sav-reader") as {
  SavBufferReader: new (file: Buffer) => {
    open(): Promise<void>;
    readAllRows(includeNulls: boolean): Promise<Record<string, unknown>[]>;
    meta: {
      sysvars: { name: string; label: string }[];
      getValueLabels(name: string): { val: number; label: string }[] | null;
    };
  };
};

interface Entry {
  id: string;
}
interface Element extends Entry {
  choices: Entry[];
  rows: Entry[];
  columns: Entry[];
}

/** Tests importing and exporting files over HTTP. */
export function testBroughtAndTaken(shared: SharedSystem): void {
  let workspace: OtherWorkspace;
  let api: ApiClient;
  beforeAll(async () => {
    workspace = await shared.newWorkspace();
    ({ api } = workspace);
  });

  async function ended(path: string) {
    const read = async () => {
      const { data } = await api.get(path);
      return ["completed", "failed"].includes(data.status) && data;
    };
    return waitFor(read, { describe: `${path} to end`, timeoutMs: 60_000 });
  }

  async function bring(file: Uint8Array<ArrayBuffer> | string, type = "text/csv", query = "") {
    const answer = await fetch(`${shared.demo.system.local.baseUrl}/contacts/imports${query}`, {
      method: "POST",
      body: file,
      headers: { authorization: `Bearer ${workspace.token}`, "content-type": type },
    });
    const { data, error } = (await answer.json()) as { data: { id: string; rows: unknown }; error: { code: string } };
    if (answer.status !== 202) return { status: answer.status, data, code: error?.code };
    expect(answer.headers.get("location")).toBe(`/api/v1/contacts/imports/${data.id}`);
    return { status: 202, data: await ended(`/contacts/imports/${data.id}`) };
  }

  const found = async (q: string) => (await api.get(`/contacts?q=${q}`)).data as { firstName: string; phone: string }[];

  test("a contact file is read in its declared charset, and refused for an unknown one", async () => {
    const polish = Buffer.concat([
      Buffer.from("email;firstName\ncs@example.com;"),
      Buffer.from([0xa3]),
      Buffer.from("ukasz\n"),
    ]);
    const file = Uint8Array.from(polish);
    expect(await bring(file, "text/csv; charset=windows-1250")).toMatchObject({ data: { created: 1, failed: 0 } });
    expect(await found("cs@")).toMatchObject([{ firstName: "Łukasz" }]);
    expect(await bring(file, "text/csv; charset=klingon")).toMatchObject({ status: 415 });
  });

  test("empty columns and a quoted `sep=` line do not disturb an import", async () => {
    for (const [index, file] of [
      "email,firstName,\ntd0@example.com,Ann,\n",
      "email,firstName\ntd1@example.com,Ann,\n",
      '\uFEFF"sep=;"\r\nemail;firstName\r\ntd2@example.com;Ann\r\n',
    ].entries()) {
      expect(await bring(file)).toMatchObject({ data: { created: 1, failed: 0 } });
      expect(await found(`td${index}`)).toMatchObject([{ firstName: "Ann" }]);
    }
  });

  test("a phone number with a national zero in brackets is the number that its writer meant", async () => {
    await bring("email,phone\ntz1@example.com,+49 (0)151 2345678\ntz2@example.com,+44 (0) 20 7946 0958\n");
    expect((await found("tz")).map(({ phone }) => phone)).toEqual(["+491512345678", "+442079460958"]);
    const preview = await bring("email,phone\ntz3@example.com,+49 (0)151 2345678\n", "text/csv", "?dryRun=true");
    expect(preview).toMatchObject({ status: 200, data: { rows: [{ row: 1, contact: { phone: "+491512345678" } }] } });
    expect(await found("tz3")).toEqual([]);
  });

  async function survey(questions: object[]): Promise<{ surveyId: string; elements: Element[] }> {
    const surveyId = (await api.post("/surveys", { name: "Taken", questions })).data.id as string;
    await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
    return { surveyId, elements: (await api.get(`/surveys/${surveyId}/elements?include=content`)).data };
  }

  async function answer(surveyId: string, answers: Record<string, unknown>, more: object = {}): Promise<void> {
    const path = `/response/surveys/${surveyId}`;
    const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
    const responses = Object.entries(answers).map(([elementId, value]) => ({ elementId, value }));
    await api.post(path, { respondentId, responses, ...more });
  }

  async function take(surveyId: string, format: string, more: object = {}): Promise<Buffer> {
    const { data } = await api.post(`/exports/surveys/${surveyId}`, { format, ...more });
    await ended(`/exports/${data.id}`);
    const { url } = (await api.get(`/exports/${data.id}/download`)).data;
    return Buffer.from(await (await fetch(url)).arrayBuffer());
  }

  async function takeSav(surveyId: string) {
    const reader = new SavBufferReader(await take(surveyId, "sav"));
    await reader.open();
    const rows = await reader.readAllRows(true);
    return reader.meta.sysvars.map(({ name, label }) => ({
      label,
      cells: rows.map((row) => row[name] ?? null),
      values: reader.meta.getValueLabels(name),
    }));
  }

  async function takeSheet(surveyId: string): Promise<unknown[][]> {
    const [sheet] = await readExcelFile(await take(surveyId, "xlsx"));
    return (sheet as unknown as { data?: unknown[][] }).data ?? (sheet as unknown as unknown[][]);
  }

  test("a matrix with several answers a row has a variable for each row and column, and lists in json", async () => {
    const columns = ["A", "B", "A; B"];
    const { surveyId, elements } = await survey([
      { type: "matrix", text: "M", rows: ["r1", "r2"], columns, multipleAnswers: true },
    ]);
    const [{ id, rows, columns: given }] = elements as [Element];
    await answer(surveyId, { [id]: { [rows[0]!.id]: [given[0]!.id, given[1]!.id], [rows[1]!.id]: [given[2]!.id] } });
    const own = (await takeSav(surveyId)).filter(({ label }) => label.startsWith("M:"));
    expect(own.map(({ label, cells }) => [label, cells[0]])).toEqual([
      ["M: r1: A", 1],
      ["M: r1: B", 1],
      ["M: r1: A; B", 0],
      ["M: r2: A", 0],
      ["M: r2: B", 0],
      ["M: r2: A; B", 1],
    ]);
    expect(own[0]!.values).toMatchObject([
      { val: 0, label: "No" },
      { val: 1, label: "Yes" },
    ]);
    const [row] = JSON.parse((await take(surveyId, "json")).toString()) as object[];
    expect(row).toMatchObject({ M: { r1: ["A", "B"], r2: ["A; B"] } });
  });

  test("what was seen and not chosen differs from what was not answered", async () => {
    const { surveyId, elements } = await survey([
      { type: "multiple_choice", text: "Have", choices: ["TV", "Radio"], multipleAnswers: true },
      { type: "short_text", text: "T" },
    ]);
    const [have, text] = elements as [Element, Element];
    await answer(surveyId, { [have.id]: [have.choices[0]!.id] });
    await answer(surveyId, { [text.id]: "skipped the question" });
    const radio = (await takeSav(surveyId)).find(({ label }) => label === "Have: Radio")!;
    expect(radio.cells).toEqual([0, null]);
  });

  test("dates are dates, and no text of a spreadsheet begins with an apostrophe", async () => {
    const { surveyId, elements } = await survey([
      { type: "date_time", text: "Born" },
      { type: "contact_info", text: "You" },
    ]);
    const [born, you] = elements as [Element, Element];
    const person = { lastName: "-Lee", phone: "+4915112345678" };
    await answer(surveyId, { [born.id]: "1990-02-28", [you.id]: person });
    const [headings, cells] = (await takeSheet(surveyId)) as [string[], unknown[]];
    const at = (heading: string) => cells[headings.indexOf(heading)];
    expect(at("Started at")).toBeInstanceOf(Date);
    expect(at("Born")).toEqual(new Date("1990-02-28"));
    expect([at("You: Last name"), at("You: Phone")]).toEqual(["-Lee", "+4915112345678"]);
    const csv = async (more?: object) => (await take(surveyId, "csv", more)).toString();
    expect(await csv()).toContain("'-Lee,,'+4915112345678");
    expect(await csv({ escapeFormulas: false })).toContain(",-Lee,,+4915112345678");
    const parquet = await take(surveyId, "parquet");
    const buffer = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) as ArrayBuffer;
    const { schema } = await parquetMetadataAsync(buffer);
    expect(schema.filter(({ converted_type }) => converted_type === "DATE")).toHaveLength(1);
  });

  test("choices that differ only beyond the longest label get different labels", async () => {
    const stem = "Совершенно согласен с тем, что работа муниципальных служб в нашем районе за последний год ";
    const { surveyId, elements } = await survey([
      { type: "multiple_choice", text: "Q", choices: [`${stem}улучшилась`, `${stem}ухудшилась`] },
    ]);
    const [{ id, choices }] = elements as [Element];
    for (const choice of choices) await answer(surveyId, { [id]: choice.id });
    const labels = (await takeSav(surveyId)).at(-1)!.values!.map(({ label }) => label);
    expect(new Set(labels).size).toBe(2);
  });

  test("who answered is taken along by the contact's fields, where the survey is not anonymous and the token may", async () => {
    const { surveyId, elements } = await survey([{ type: "short_text", text: "T" }]);
    const [{ id: elementId }] = elements as [Element];
    const fields = { email: "iris@example.org", firstName: "Iris", attributes: { team: "Blue", seats: 3 } };
    const { data: contact } = await api.post("/contacts", fields);
    const { data: link } = await api.post(`/distribution/surveys/${surveyId}`, { name: "P", type: "personal_link" });
    await api.post(`/distribution/${link.id}/activate`);
    const { data: links } = await api.post(`/distribution/${link.id}/links`, { contactIds: [contact.id] });
    const { data: came } = await api.post(`/public/v1/links/${links[0].code}/respondents`, {});
    await api.post(
      `/public/v1/links/${links[0].code}/respondents/${came.respondentId}/answers`,
      { responses: [{ elementId, value: "hers" }] },
      { "x-respondent-token": came.sessionToken },
    );
    await answer(surveyId, { [elementId]: "nobody's" });
    // The export shows the contact's current fields.
    await api.call("PATCH", `/contacts/${contact.id}`, {
      headers: { "if-match": "*" },
      body: { firstName: "Iris M." },
    });
    const contactFields = ["firstName", "attributes.seats", "lastName"];
    const rows = JSON.parse((await take(surveyId, "json", { contactFields })).toString()) as { T: string }[];
    const [hers, others] = [rows.find(({ T }) => T === "hers"), rows.find(({ T }) => T !== "hers")];
    const headings = ["Contact: First name", "Contact: seats", "Contact: Last name"] as const;
    const cellsOf = (row: object | undefined) => headings.map((heading) => (row as Record<string, unknown>)[heading]);
    expect([cellsOf(hers), cellsOf(others)]).toEqual([
      ["Iris M.", "3", null],
      [null, null, null],
    ]);

    const { data: weak } = await api.post("/tokens", { name: "exporter", scopes: ["exports:write", "surveys:read"] });
    await using exporter = createApiClient(shared.demo.system.local.baseUrl, weak.token);
    const path = `/exports/surveys/${surveyId}`;
    const body = { format: "csv", contactFields };
    const lacking = { required_scope: "contacts:read" };
    expectRefusal(await exporter.call("POST", path, { body }), 403, "insufficient_scope", lacking);
    const { data: made } = await api.post(path, body);
    await ended(`/exports/${made.id}`);
    expectRefusal(await exporter.call("GET", `/exports/${made.id}/download`), 403, "insufficient_scope", lacking);
    const settings = { privacy: { anonymity: "partial" } };
    const { data: anonymous } = await api.post("/surveys", { name: "Anonymous", settings });
    const refused = await api.call("POST", `/exports/surveys/${anonymous.id}`, { body });
    expectRefusal(refused, 422, "validation_failed", {
      contactFields: ["must be left out: the survey is anonymous"],
    });
  });

  test("years have a bar each, and results tell whose answers they count", async () => {
    const { surveyId, elements } = await survey([
      { type: "number", text: "Year of birth" },
      { type: "short_text", text: "T", required: true },
    ]);
    const [year, text] = elements as [Element, Element];
    for (const born of [1948, 1962, 1990]) await answer(surveyId, { [year.id]: born, [text.id]: "x" });
    await answer(surveyId, { [year.id]: 2001 }, { metadata: { complete: false } });
    const { data } = await api.get(`/response/surveys/${surveyId}/aggregation`);
    expect(data).toMatchObject({ basis: "counters", respondents: "started" });
    const bars = data.questionStats[0].distribution.histogram as { from: number }[];
    expect(bars.map(({ from }) => from)).toEqual([1948, 1962, 1990, 2001]);
    const { raw } = await api.get(`/response/surveys/${surveyId}/report`);
    expect(raw).toContain("not finished");
    expect(raw).toContain("1948");
    expect(raw).not.toContain("1,948");
    expect((await takeSheet(surveyId)).slice(1)).toHaveLength(3);
  });
}
