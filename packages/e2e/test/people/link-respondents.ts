import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient, type ApiResponse, type ApiClient, type DemoSystem } from "../../src/index.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SharedSystem } from "../shared-system.ts";
import { publishSmallSurvey, type SmallSurvey } from "../small-survey.ts";
import { whileAway, whileFrozen } from "../while-away.ts";

let demo: DemoSystem;
let api: ApiClient;
/** A client without a token. */
let people: ApiClient;
let survey: SmallSurvey;
/** Must not appear in any log. */
const secrets: string[] = [];

interface Distributor {
  id: string;
  code: string;
}

async function newLink(fields: object = {}): Promise<Distributor> {
  const { data } = await api.post(`/distribution/surveys/${survey.surveyId}`, { name: "Poster", ...fields });
  await api.post(`/distribution/${data.id}/activate`);
  if (data.code) secrets.push(data.code);
  return data;
}

interface Came {
  at: string;
  headers: Record<string, string>;
}

async function come(code: string, body: object = {}): Promise<Came> {
  const { data } = await people.post(`/public/v1/links/${code}/respondents`, body);
  secrets.push(data.sessionToken);
  return {
    at: `/public/v1/links/${code}/respondents/${data.respondentId}`,
    headers: { "x-respondent-token": data.sessionToken },
  };
}

const save = ({ at, headers }: Came, rating: number, complete = false): Promise<ApiResponse> =>
  people.call("POST", `${at}/answers`, {
    headers,
    body: {
      pageId: survey.pageId,
      responses: [{ elementId: survey.ratingId, value: rating }],
      metadata: { complete },
    },
  });

const stats = async ({ id }: Distributor) => (await api.get(`/distribution/${id}`)).data.stats;

/** Tests respondents that start through a link. Freezes and stops the distribution service for a while. */
export function testLinkRespondents(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    ({ api } = await shared.newWorkspace());
    people = createApiClient(demo.system.local.baseUrl, "");
    survey = await publishSmallSurvey(api);
  });
  afterAll(() => people?.[Symbol.asyncDispose]());

  describe("a link", () => {
    test("is opened, answered and counted, from its code alone", async () => {
      const link = await newLink();
      const { data } = await people.get(`/public/v1/links/${link.code}`);
      expect(data).toMatchObject({ state: "open", requiresPassword: false, survey: { name: "Small survey" } });
      const [page] = data.definition.pages;
      expect(page.elements.map(({ id }: { id: string }) => id)).toContain(survey.ratingId);
      const came = await come(link.code, { language: "en" });
      expect((await save(came, 4)).data.respondentStatus).toBe("started");
      const own = (await people.get(came.at, came.headers)).data;
      expect(own).toMatchObject({ status: "started", language: "en", definition: data.definition });
      expect(own.answers).toEqual([{ elementId: survey.ratingId, itemId: null, type: "rating", value: 4 }]);
      expect((await save(came, 5, true)).data.respondentStatus).toBe("completed");
      await expect.poll(() => stats(link)).toEqual({ opened: 1, started: 1, completed: 1 });
      const { data: listed } = await api.get(
        `/response/surveys/${survey.surveyId}/respondents?distributorId=${link.id}`,
      );
      expect(listed).toMatchObject([{ status: "completed", distributorId: link.id }]);
    });

    test("that is paused refuses the next save at once, also of those who had begun, and goes on when resumed", async () => {
      const link = await newLink();
      const begun = await Promise.all(Array.from({ length: 10 }, () => come(link.code)));
      await Promise.all(begun.map((came) => save(came, 3)));
      await api.post(`/distribution/${link.id}/pause`);
      const answers = await Promise.all(begun.map((came) => save(came, 4, true)));
      for (const answer of answers) expectRefusal(answer, 422, "survey_not_collecting", { reason: "link_paused" });
      expect((await people.get(`/public/v1/links/${link.code}`)).data).toMatchObject({
        state: "closed",
        reason: "link_paused",
        definition: null,
      });
      await api.post(`/distribution/${link.id}/resume`);
      expect((await save(begun[0]!, 4, true)).status).toBe(200);
      await api.post(`/distribution/${link.id}/close`);
      expectRefusal(await save(begun[1]!, 4, true), 422, "survey_not_collecting", { reason: "link_closed" });
    });

    test("with a limit takes no more than that, however many complete at once", async () => {
      const link = await newLink({ settings: { responseLimit: 3 } });
      const begun = await Promise.all(Array.from({ length: 12 }, () => come(link.code)));
      const statuses = (await Promise.all(begun.map((came) => save(came, 4, true)))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(3);
      expect((await people.get(`/public/v1/links/${link.code}`)).data).toMatchObject({ reason: "link_limit" });
      expect((await api.get(`/distribution/${link.id}`)).data).toMatchObject({ status: "closed" });
    });

    test("of single use makes one respondent of many starts at once", async () => {
      const { id } = await newLink({ type: "single_use_link" });
      const { data: issued } = await api.post(`/distribution/${id}/links`, { count: 1 });
      const { code } = issued[0];
      secrets.push(code);
      const starts = await Promise.all(
        Array.from({ length: 20 }, () => people.call("POST", `/public/v1/links/${code}/respondents`, { body: {} })),
      );
      expect(starts.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const refused of starts.filter(({ status }) => status !== 201)) {
        expectRefusal(refused, 422, "survey_not_collecting", { reason: "link_used" });
      }
      const { data: links } = await api.get(`/distribution/${id}/links`);
      expect(links).toMatchObject([{ usedAt: expect.any(String) }]);
    });

    test("behind a password of its own shows nothing before it", async () => {
      const password = "correct horse of a link";
      secrets.push(password);
      const link = await newLink({ settings: { password } });
      expect((await people.get(`/public/v1/links/${link.code}`)).data).toMatchObject({
        requiresPassword: true,
        definition: null,
      });
      for (const body of [{}, { password: "wrong" }]) {
        const refused = await people.call("POST", `/public/v1/links/${link.code}/respondents`, { body });
        expectRefusal(refused, 422, "validation_failed", { password: [expect.any(String)] });
      }
      expect((await save(await come(link.code, { password }), 4, true)).status).toBe(200);
    });
  });

  test("who is started as a contact must be one that is there and not anonymized", async () => {
    const start = (contactId: string) =>
      api.call("POST", `/response/surveys/${survey.surveyId}/respondents`, { body: { contactId } });
    const { data: contact } = await api.post("/contacts", { externalId: "somebody" });
    expect((await start(contact.id)).status).toBe(201);
    await api.post(`/contacts/${contact.id}/anonymize`, { confirm: true });
    for (const id of [contact.id, "0000000000000000"]) {
      expectRefusal(await start(id), 422, "validation_failed", { contactId: [expect.any(String)] });
    }
  });

  test("sessions and codes lead nowhere but to their own, whatever is tried", async () => {
    const [one, other] = [await come((await newLink()).code), await come((await newLink()).code)];
    for (const tried of [
      { ...one, headers: other.headers },
      { ...one, headers: { "x-respondent-token": "nonsense" } },
      { ...one, at: one.at.replace(/links\/\w+/, "links/0000000000000000000000") },
    ]) {
      expectRefusal(await people.call("GET", tried.at, { headers: tried.headers }), 401, "invalid_token", {});
      expectRefusal(await save(tried, 4), 401, "invalid_token", {});
    }
    expectRefusal(await people.call("GET", one.at), 401, "unauthorized", {});
    const draft = (await api.post(`/distribution/surveys/${survey.surveyId}`, { name: "Draft" })).data.code;
    for (const code of [draft, "0000000000000000000000", "x", "%00", "%F0%9F%98%80"]) {
      for (const [method, path] of [
        ["GET", ""],
        ["POST", "/respondents"],
      ] as const) {
        const answer = await people.call(
          method,
          `/public/v1/links/${code}${path}`,
          method === "POST" ? { body: {} } : {},
        );
        expectRefusal(answer, 404, "distributor_not_found", {});
      }
    }
  });

  test("a write with a key is done once: its repetition gets the same bytes", async () => {
    const { code } = await newLink();
    const headers = { "idempotency-key": "start-1" };
    const start = () =>
      people.call("POST", `/public/v1/links/${code}/respondents`, { headers, body: { language: "en" } });
    const first = await start();
    const again = await start();
    secrets.push(first.data.sessionToken);
    expect([again.raw, again.headers.get("idempotent-replayed")]).toEqual([first.raw, "true"]);
    const other = await people.call("POST", `/public/v1/links/${code}/respondents`, { headers, body: {} });
    expectRefusal(other, 409, "idempotency_key_reused", {});
    const token = { "x-respondent-token": first.data.sessionToken };
    const at = `/public/v1/links/${code}/respondents/${first.data.respondentId}`;
    const submit = () => save({ at, headers: { ...token, "idempotency-key": "save-1" } }, 2);
    const [saved, repeated] = [await submit(), await submit()];
    expect(repeated.raw).toBe(saved.raw);
  });

  test("while the distribution service hangs or is away, who has begun goes on", async () => {
    const { code } = await newLink();
    const came = await come(code);
    expect((await save(came, 1)).status).toBe(200);
    const plain = (await api.post(`/response/surveys/${survey.surveyId}/respondents`, {})).data.respondentId;
    const submitPlain = () =>
      api.call("POST", `/response/surveys/${survey.surveyId}`, {
        body: {
          respondentId: plain,
          responses: [{ elementId: survey.ratingId, value: 3 }],
          metadata: { complete: false },
        },
      });
    for (const broken of [
      (work: () => Promise<void>) => whileFrozen(demo.system, "distribution", work),
      (work: () => Promise<void>) => whileAway(demo.system, ["distribution"], work),
    ]) {
      await broken(async () => {
        const [saved, submitted] = await Promise.all([save(came, 2), submitPlain()]);
        expect([saved.status, submitted.status]).toEqual([200, 200]);
        const unknown = await people.call("GET", "/public/v1/links/0000000000000000000000");
        expect([503, 504]).toContain(unknown.status);
        expect(unknown.headers.get("retry-after")).not.toBeNull();
      });
    }
    expect((await save(came, 5, true)).data.respondentStatus).toBe("completed");
  });

  test("no code, session token or password stands in any log", async () => {
    const folder = join(demo.dataDir, "logs");
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), "utf8");
      for (const secret of secrets) expect(text.includes(secret), `a secret in ${name}`).toBe(false);
    }
    expect(secrets.length).toBeGreaterThan(20);
  });
}
