import { expect, test } from "vitest";
import type { ServerResponse } from "node:http";
import { refuse, serve, succeed, type Seen } from "./serve.ts";

const file = Buffer.from(Array.from({ length: 5_000 }, (_, index) => `row ${index}\n`).join(""));

/** An export that is ready at the third look. Downloads are cut after `cuts` bytes each, while there are some. */
function answerExport(cuts: number[], etags: string[] = []) {
  let looks = 0;
  const job = (status: string, percentComplete: number) => ({ id: "x1", status, percentComplete, error: null });
  return (response: ServerResponse, { method, path, headers }: Seen) => {
    if (method === "POST") return succeed(response, job("queued", 0));
    if (path === "/api/v1/exports/x1") {
      looks++;
      return succeed(response, looks < 3 ? job("processing", 50) : job("completed", 100));
    }
    if (path === "/api/v1/exports/x1/download") {
      return succeed(response, { url: `http://${String(headers["host"])}/api/v1/downloads/t1` });
    }
    expect(headers).not.toHaveProperty("authorization");
    const etag = etags.shift() ?? '"f"';
    const [, from] = /^bytes=(\d+)-$/.exec(String(headers.range)) ?? [];
    const isRange = from !== undefined && headers["if-range"] === etag;
    const rest = file.subarray(isRange ? Number(from) : 0);
    const type = { "content-type": "text/csv", "content-disposition": 'attachment; filename="answers.csv"' };
    response.writeHead(isRange ? 206 : 200, { ...type, etag, "content-length": rest.length });
    const cut = cuts.shift();
    if (cut === undefined) response.end(rest);
    else response.write(rest.subarray(0, cut), () => response.socket!.destroy());
  };
}

test("an export is waited for with its progress, and downloaded whole over cuts", async () => {
  await using server = await serve(answerExport([10_000, 0, 12_345]));
  const seen: number[] = [];
  const queued = await server.canvass.exports.create("s1", { format: "csv" });
  const job = await queued.wait({ onProgress: ({ percentComplete }) => seen.push(percentComplete) });
  expect(seen).toEqual([0, 50, 100]);
  const download = await job.download();
  expect(download.headers.get("content-disposition")).toContain("answers.csv");
  expect(Buffer.from(await download.arrayBuffer()).equals(file)).toBe(true);
});

test("a file that changed under way is not joined with the former one", async () => {
  await using server = await serve(answerExport([10_000], ['"f"', '"other"', '"other"']), { retries: 1 });
  const job = await server.canvass.exports.get("x1");
  const download = await job.download();
  await expect(download.text()).rejects.toMatchObject({ code: "connection_failed" });
});

test("waiting for an export that failed throws `export_not_made`", async () => {
  await using server = await serve((response) =>
    succeed(response, {
      id: "x1",
      status: "failed",
      percentComplete: 10,
      error: { code: "quota_exceeded", message: "Full." },
    }),
  );
  const job = await server.canvass.exports.get("x1");
  await expect(job.wait()).rejects.toMatchObject({ code: "export_not_made", message: "The export is failed. Full." });
});

test("a file of answers is sent as bytes and awaited; waiting for an import that failed throws `import_not_made`", async () => {
  const job = { id: "i1", percentComplete: 0, total: 2, error: null };
  let looks = 0;
  await using server = await serve((response, { method, path }) => {
    if (method === "POST") return succeed(response, { ...job, status: "queued" });
    if (path.endsWith("/i2")) return succeed(response, { ...job, status: "failed", error: { message: "Full." } });
    looks += 1;
    succeed(response, { ...job, status: looks < 2 ? "processing" : "completed", percentComplete: 50 * looks });
  });
  const { responses } = server.canvass;
  const seen: number[] = [];
  const queued = await responses.import("s1", { csv: Buffer.from("name\n\u00a3\n"), skipUnknown: true });
  const ended = await queued.wait({ onProgress: ({ percentComplete }) => seen.push(percentComplete) });
  expect([ended.status, seen]).toEqual(["completed", [0, 50, 100]]);
  expect(server.seen[0]).toMatchObject({
    path: "/api/v1/response/surveys/s1/import",
    headers: { "content-type": "text/csv", "idempotency-key": expect.any(String) },
    body: "name\n\u00a3\n",
  });
  expect(Object.fromEntries(server.seen[0]!.query)).toEqual({ skipUnknown: "true" });
  await responses.previewImport("s1", { csv: "name\n" });
  expect(Object.fromEntries(server.seen.at(-1)!.query)).toEqual({ dryRun: "true" });
  const failed = await responses.getImport("i2");
  await expect(failed.wait()).rejects.toMatchObject({ code: "import_not_made", message: "The import failed. Full." });
});

test("a download that is refused is the API's error", async () => {
  await using server = await serve((response, { path }) => {
    if (path.endsWith("/download")) succeed(response, { url: `http://${response.req.headers.host}/gone` });
    else if (path === "/gone") refuse(response, 404, "export_not_found");
    else succeed(response, { id: "x1", status: "completed" });
  });
  const job = await server.canvass.exports.get("x1");
  await expect(job.download()).rejects.toMatchObject({ code: "export_not_found", status: 404 });
});

test("a download whose file does not come ends at the deadline of the call", async () => {
  await using server = await serve((response, { path }) => {
    if (path.endsWith("/download")) succeed(response, { url: `http://${response.req.headers.host}/silent` });
    else if (path !== "/silent") succeed(response, { id: "x1", status: "completed" });
  });
  const job = await server.canvass.exports.get("x1");
  await expect(job.download({ deadlineMs: 200 })).rejects.toThrow("The call did not succeed within 200 ms.");
});
