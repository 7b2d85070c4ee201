import { beforeAll, expect, test } from "vitest";
import type { OtherWorkspace } from "../../src/index.ts";
import { formOf, uploadOwnFile } from "../../src/upload-file.ts";
import type { SharedSystem } from "../shared-system.ts";

let workspace: OtherWorkspace;
let other: OtherWorkspace;

const uploadFile = (shared: SharedSystem) => uploadOwnFile(shared.demo.system.local.baseUrl, workspace.token);

/** Tests files that respondents upload. */
export function testFiles(shared: SharedSystem): void {
  beforeAll(async () => {
    workspace = await shared.newWorkspace();
    other = await shared.newWorkspace();
  });

  test("a file is uploaded, answered with, downloaded, kept from strangers, and erased with its respondent", async () => {
    const { api } = workspace;
    const { surveyId, elementId, uploaded } = await uploadFile(shared);
    expect(uploaded.status).toBe(201);
    const file = { fileId: expect.any(String) as string, name: "notes.txt", size: 8, mimeType: "text/plain" };
    expect(uploaded.data).toEqual(file);
    const { fileId } = uploaded.data;
    const { respondentId } = (await api.post(`/response/surveys/${surveyId}/respondents`, {})).data;
    const answer = { respondentId, responses: [{ elementId, value: [{ fileId }] }] };
    expect((await other.api.call("POST", `/response/surveys/${surveyId}`, { body: answer })).status).toBe(404);
    await api.post(`/response/surveys/${surveyId}`, answer);
    expect((await api.get(`/response/surveys/${surveyId}`)).data[0].value).toEqual([{ ...file, fileId }]);

    expect((await other.api.call("GET", `/files/${fileId}/download`)).body.error?.code).toBe("file_not_found");
    const { url } = (await api.get(`/files/${fileId}/download`)).data;
    const downloaded = await fetch(url);
    expect(await downloaded.text()).toBe("My notes");
    expect(downloaded.headers.get("content-disposition")).toBe("attachment; filename=notes.txt");
    expect(downloaded.headers.get("content-type")).toBe("application/octet-stream");
    expect(downloaded.headers.get("x-content-type-options")).toBe("nosniff");
    expect(downloaded.headers.get("content-security-policy")).toContain("sandbox");

    const erased = await api.call("DELETE", `/response/surveys/${surveyId}/respondents/${respondentId}`);
    expect(erased.data).toMatchObject({ answers: 1, uploadedFiles: 1 });
    expect((await fetch(url)).status).toBe(404);
    expect((await api.call("GET", `/files/${fileId}/download`)).status).toBe(404);
  });

  test("a respondent that came by a link uploads with its session, and nobody else does with it", async () => {
    const { api } = workspace;
    const { surveyId, elementId } = await uploadFile(shared);
    const { data: link } = await api.post(`/distribution/surveys/${surveyId}`, { name: "Link" });
    await api.post(`/distribution/${link.id}/activate`, {});
    const base = `/public/v1/links/${link.code}/respondents`;
    const [guest, second] = [(await api.post(base, {})).data, (await api.post(base, {})).data];
    const send = (respondentId: string, token: string) => {
      const { body, headers } = formOf({ elementId }, "..\\..\\n\u202Eotes.txt", "Hello");
      return api.call("POST", `${base}/${respondentId}/files`, {
        body,
        headers: { ...headers, "x-respondent-token": token },
      });
    };
    const uploaded = await send(guest.respondentId, guest.sessionToken);
    expect([uploaded.status, uploaded.data?.name]).toEqual([201, "notes.txt"]);
    expect((await send(second.respondentId, guest.sessionToken)).body.error?.code).toBe("invalid_token");
    const responses = [{ elementId, value: [{ fileId: uploaded.data.fileId }] }];
    const asSecond = { "x-respondent-token": second.sessionToken };
    const stolen = await api.call("POST", `${base}/${second.respondentId}/answers`, {
      body: { responses },
      headers: asSecond,
    });
    expect(stolen.body.error).toMatchObject({ code: "validation_failed" });
    const own = { "x-respondent-token": guest.sessionToken };
    expect((await api.post(`${base}/${guest.respondentId}/answers`, { responses }, own)).status).toBe(200);
  });
}
