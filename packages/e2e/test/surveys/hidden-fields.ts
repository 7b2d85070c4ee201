import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";

const fields = [
  { name: "customer", type: "number" },
  { name: "utm_source", type: "text", default: "direct" },
];

/** Tests that hidden fields go from the survey through links and callers to lists, exports and erasure. */
export function testHiddenFields(shared: SharedSystem): void {
  test("what an address or a caller gives for hidden fields is kept, found, exported and erased", async () => {
    const { api } = await shared.newWorkspace();
    const questions = [{ type: "rating", text: "How was it?", required: true }];
    const { data: survey } = await api.post("/surveys", { name: "Fields", questions });
    const [{ id: elementId }] = (await api.get(`/surveys/${survey.id}/elements`)).data;
    const { headers } = await api.get(`/surveys/${survey.id}/fields`);
    const put = (list: object[]) =>
      api.call("PUT", `/surveys/${survey.id}/fields`, {
        body: { fields: list },
        headers: { "if-match": headers.get("etag")! },
      });
    expect((await put([{ name: "__proto__", type: "text" }])).status).toBe(422);
    expect((await put(fields)).body.data).toEqual({ fields });
    expect((await put([])).status).toBe(412);
    await api.post(`/surveys/${survey.id}/publish`, undefined, { "if-match": "*" });
    const { data: link } = await api.post(`/distribution/surveys/${survey.id}`, { name: "Link" });
    await api.post(`/distribution/${link.id}/activate`);

    const path = `/response/surveys/${survey.id}`;
    const given = { customer: "12", utm_source: "<b>mail</b>", other: "x" };
    const came = (await api.post(`/public/v1/links/${link.code}/respondents`, { fields: given })).data;
    expect(came.ignored).toBe(1);
    const refused = await api.call("POST", `${path}/respondents`, { body: { fields: { customer: "12" } } });
    expect([refused.status, refused.body.error!.details]).toEqual([422, { "fields.customer": ["must be a number"] }]);
    const called = (await api.post(`${path}/respondents`, { fields: { customer: 13 } })).data;
    for (const { respondentId } of [came, called]) {
      await api.post(path, { respondentId, responses: [{ elementId, value: 4 }] });
    }

    const read = async (id: string): Promise<Json> => (await api.get(`${path}/respondents/${id}`)).data.fields;
    expect(await read(came.respondentId)).toEqual({ customer: 12, utm_source: "<b>mail</b>" });
    const found = async (query: string) =>
      (await api.get(`${path}/respondents?${query}`)).data.map(({ respondentId }: Json) => respondentId);
    await waitFor(async () => (await found("")).length === 2, { describe: "both in the list" });
    expect(await found("field.customer=13")).toEqual([called.respondentId]);
    expect(await found("field.customer=12&field.utm_source=direct")).toEqual([]);
    expect((await api.call("GET", `${path}/respondents?field.__proto__=1`)).status).toBe(422);

    const { data: made } = await api.post(`/exports/surveys/${survey.id}`, { format: "ndjson", headings: "names" });
    const done = async () => (await api.get(`/exports/${made.id}`)).data.status === "completed";
    await waitFor(done, { describe: "the export" });
    const { data: download } = await api.get(`/exports/${made.id}/download`);
    const rows = (await (await fetch(download.url)).text()).trim().split("\n");
    expect(rows.map((row): Json => JSON.parse(row))).toMatchObject([
      { field_customer: 12, field_utm_source: "<b>mail</b>" },
      { field_customer: 13, field_utm_source: "direct" },
    ]);

    await api.delete(`${path}/respondents/${came.respondentId}`);
    expect(await found("field.customer=12")).toEqual([]);
  });
}
