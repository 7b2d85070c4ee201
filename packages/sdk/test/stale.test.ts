import { expect, test } from "vitest";
import { StaleLinkError, StaleSurveyError } from "../src/index.ts";
import { refuse, serve, succeed, type Seen } from "./serve.ts";
import type { ServerResponse } from "node:http";

/** Keeps one resource whose ETag changes with each write. */
function oneResource() {
  let revision = 1;
  let name = "Lunch";
  const etag = () => `"${revision}"`;
  return (response: ServerResponse, { method, headers, body }: Seen) => {
    if (method === "GET") return succeed(response, { id: "r1", name }, etag());
    if (headers["if-match"] !== etag()) return refuse(response, 412, "precondition_failed");
    ({ name = name } = JSON.parse(body || "{}") as { name?: string });
    revision++;
    succeed(response, { id: "r1", name }, etag());
  };
}

test("a survey sends the ETag that it was read with, and a result can be changed further", async () => {
  await using server = await serve(oneResource());
  const survey = await server.canvass.surveys.get("r1");
  const changed = await (await survey.update({ name: "Dinner" })).update({ name: "Supper" });
  expect({ ...changed }).toEqual({ id: "r1", name: "Supper", etag: '"3"' });
  expect(await changed.publish()).toMatchObject({ etag: '"4"' });
  expect(JSON.stringify(survey)).toBe('{"id":"r1","name":"Lunch","etag":"\\"1\\""}');
});

test("of two writers the later one is refused, and gets the current survey", async () => {
  await using server = await serve(oneResource());
  const { surveys } = server.canvass;
  const [mine, theirs] = [await surveys.get("r1"), await surveys.get("r1")];
  await theirs.update({ name: "Dinner" });
  const error = await mine.update({ name: "Brunch" }).catch((thrown: unknown) => thrown);
  if (!(error instanceof StaleSurveyError)) throw error;
  expect(error).toMatchObject({ code: "precondition_failed", status: 412, current: { name: "Dinner", etag: '"2"' } });
  expect(await error.current.update({ name: "Brunch" })).toMatchObject({ name: "Brunch" });
  await expect(surveys.update(mine, { name: "Breakfast" })).rejects.toBeInstanceOf(StaleSurveyError);
  await expect(surveys.publish(mine)).rejects.toBeInstanceOf(StaleSurveyError);
});

test("a stale write of a link is refused, too", async () => {
  await using server = await serve(oneResource());
  const link = await server.canvass.links.get("r1");
  await link.update({ name: "Newsletter" });
  await expect(link.replaceSettings({})).rejects.toBeInstanceOf(StaleLinkError);
});

test("a document has the ETag of its survey in either format, also behind a proxy that compresses", async () => {
  let tag = "";
  await using server = await serve((response) =>
    response.setHeader("etag", tag).setHeader("content-type", "application/yaml").end("name: Lunch\n"),
  );
  for (tag of ['"1"', '"1-yaml"', 'W/"1-yaml"']) {
    expect(await server.canvass.surveys.document("r1")).toMatchObject({ text: "name: Lunch\n", etag: '"1"' });
  }
});
