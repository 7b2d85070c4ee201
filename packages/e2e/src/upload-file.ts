import { createApiClient, type ApiResponse } from "./api-client.ts";

/** A `multipart/form-data` body with a text as its file. */
export function formOf(fields: Record<string, string>, name: string, content: string) {
  const parts = Object.entries(fields).map(([field, value]) => `name="${field}"\r\n\r\n${value}`);
  const all = [...parts, `name="file"; filename="${name}"\r\n\r\n${content}`];
  return {
    body: `${all.map((part) => `--limit\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}--limit--\r\n`,
    headers: { "content-type": "multipart/form-data; boundary=limit" },
  };
}

/** Publishes a survey with a question for text files and uploads a file. */
export async function uploadOwnFile(baseUrl: string, token: string) {
  await using api = createApiClient(baseUrl, token);
  const questions = [{ type: "file_upload", text: "Notes", typeSettings: { extensions: ["txt"] } }];
  const surveyId: string = (await api.post("/surveys", { name: "Files", questions })).data.id;
  const elementId: string = (await api.get(`/surveys/${surveyId}/elements`)).data[0].id;
  await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
  const uploaded: ApiResponse = await api.call(
    "POST",
    "/files",
    formOf({ surveyId, elementId }, "notes.txt", "My notes"),
  );
  return { surveyId, elementId, uploaded };
}
