import { timestampNow } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import type { CreateExportRequest } from "@canvass/proto/exports";
import { expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const exportId = "export0000000000";
const options = {
  format: "csv",
  labels: "labels",
  includePartial: false,
  includeTest: false,
  from: null,
  to: null,
  elementIds: null,
  distributorIds: null,
  timeZone: "UTC",
};
const anonymous = { contactFields: ["must be left out: the survey is anonymous"] };

test("contactFields reach the service unchanged, are shown, and its refusals are returned", async () => {
  const asked: CreateExportRequest[] = [];
  let refusal: AppError | undefined;
  await using edge = await startEdge({
    exports: {
      createExport: async (request) => {
        asked.push(request);
        if (refusal) throw refusal;
        const optionsJson = JSON.stringify({ ...options, ...(JSON.parse(request.bodyJson) as object) });
        return { export: { exportId, surveyId, status: "queued", optionsJson, createdAt: timestampNow() } };
      },
    },
  });
  const create = (body: object) =>
    edge.call(`/exports/surveys/${surveyId}`, { method: "POST", body: JSON.stringify(body) });
  const body = { format: "csv", contactFields: ["email", "attributes.team"] };
  expect(await create(body)).toMatchObject({ status: 202, body: { data: { contactFields: body.contactFields } } });
  expect(JSON.parse(asked[0]!.bodyJson)).toEqual(body);
  expect((await create({ format: "csv" })).body.data.contactFields).toBeNull();
  refusal = new AppError("validation_failed", anonymous);
  expect(await create(body)).toMatchObject({ status: 422, body: { error: { details: anonymous } } });
  refusal = new AppError("insufficient_scope", { required_scope: "contacts:read" });
  const { status, body: refused } = await create(body);
  expect([status, refused.error.code]).toEqual([403, "insufficient_scope"]);
  expect(refused.error.details).toMatchObject({ required_scope: "contacts:read" });
});

test("addresses of downloads work also if the public URL ends with a slash", async () => {
  const signed = { downloadToken: "signed", expiresAt: timestampNow() };
  await using edge = await startEdge(
    { exports: { createDownload: async () => signed }, files: { createFileDownload: async () => signed } },
    { config: { CANVASS_PUBLIC_URL: "https://surveys.example.org/" } },
  );
  for (const path of [`/exports/${exportId}/download`, "/files/file000000000000/download"]) {
    expect((await edge.call(path)).body.data.url).toBe("https://surveys.example.org/api/v1/downloads/signed");
  }
});
