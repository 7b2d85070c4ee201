import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";

/** Tests that texts name answers from the first write to the export. */
export function testPiping(shared: SharedSystem): void {
  test("a default answer is stored by id and shown to pages, and does not answer for callers", async () => {
    const { api } = await shared.newWorkspace();
    const choices = [{ text: "Soup", code: "s" }, "Tea"];
    const questions = [
      { type: "dropdown", name: "dish", text: "Dish?", choices, defaultValue: "Tea", required: true },
      { type: "rating", text: "How was it?", defaultValue: 4 },
    ];
    const wrong = {
      name: "Defaults",
      questions: [
        { ...questions[0], defaultValue: "Cake" },
        { ...questions[1], defaultValue: 9 },
      ],
    };
    const refused = await api.call("POST", "/surveys", { body: wrong });
    expect([refused.status, Object.keys(refused.body.error!.details)]).toEqual([
      422,
      ["questions.0.defaultValue", "questions.1.defaultValue"],
    ]);
    const { data: survey } = await api.post("/surveys", { name: "Defaults", questions });
    const [dish, rated] = (await api.get(`/surveys/${survey.id}/elements?include=content`)).data as Json[];
    const tea = dish.choices[1].id;
    expect([dish.defaultValue, rated.defaultValue]).toEqual([tea, 4]);
    const edit = (defaultValue: unknown) =>
      api.call("PUT", `/elements/${dish.id}/settings`, { body: { settings: {}, defaultValue } });
    expect((await edit("s")).body.data.defaultValue).toBe(dish.choices[0].id);
    expect((await edit("x")).body.error!.details).toHaveProperty("defaultValue");
    expect((await edit("Tea")).status).toBe(200);
    const document = (await api.call("GET", `/surveys/${survey.id}/document`)).body as Json;
    expect(document.pages[0].elements[0].defaultValue).toBe(`e_${tea}`);
    const { data: copy } = await api.post(`/surveys/${survey.id}/copy`, { name: "Copy" });
    const [copied] = (await api.get(`/surveys/${copy.id}/elements?include=content`)).data as Json[];
    expect(copied.defaultValue).toBe(copied.choices[1].id);
    await api.post(`/surveys/${survey.id}/publish`, undefined, { "if-match": "*" });
    const { data: link } = await api.post(`/distribution/surveys/${survey.id}`, {
      name: "Link",
      settings: { prefill: true },
    });
    expect(link.settings.prefill).toBe(true);
    await api.post(`/distribution/${link.id}/activate`);
    const { prefill } = (await api.get(`/public/v1/links/${link.code}`)).data;
    expect(prefill).toEqual({ dish: { elementId: dish.id, codes: { s: dish.choices[0].id } } });
    const { definition } = (await api.get(`/public/v1/links/${link.code}`)).data;
    expect(definition.pages[0].elements[0].defaultValue).toBe(tea);
    const path = `/response/surveys/${survey.id}`;
    const { data: respondent } = await api.post(`${path}/respondents`, {});
    const responses = [{ elementId: rated.id, value: 5 }];
    const { data: saved } = await api.post(path, { respondentId: respondent.respondentId, responses });
    expect(saved.respondentStatus).toBe("started");
  });

  test("only the holder of a personal link is called by name, if a text does so, without password and anonymity", async () => {
    const { api } = await shared.newWorkspace();
    const linkTo = async (text: string, anonymity: string, own: object = {}): Promise<unknown> => {
      const settings = { privacy: { anonymity }, ...own };
      const questions = [{ type: "short_text", text }];
      const { data: survey } = await api.post("/surveys", { name: "Names", questions, settings });
      await api.post(`/surveys/${survey.id}/publish`, undefined, { "if-match": "*" });
      const { data: contact } = await api.post("/contacts", { firstName: "Iris", externalId: survey.id });
      const { data: link } = await api.post(`/distribution/surveys/${survey.id}`, { name: "P", type: "personal_link" });
      await api.post(`/distribution/${link.id}/activate`);
      const { data: links } = await api.post(`/distribution/${link.id}/links`, { contactIds: [contact.id] });
      return (await api.get(`/public/v1/links/${links[0].code}`)).data.contact;
    };
    const asking = "Dear {{contact.firstName|friend}}, how was it?";
    expect(await linkTo(asking, "none")).toEqual({ firstName: "Iris" });
    expect(await linkTo(asking, "partial")).toBeUndefined();
    expect(await linkTo("How was it?", "none")).toBeUndefined();
    const completion = { message: "Thank you, {{contact.firstName}}." };
    expect(await linkTo("How was it?", "none", { completion })).toEqual({ firstName: "Iris" });
    const access = { password: "sesame" };
    expect(await linkTo(asking, "none", { completion, access })).toBeUndefined();
  });

  test("texts that name answers are stored by id, checked at their place, and mended with what they name", async () => {
    const { api } = await shared.newWorkspace();
    const questions = [
      { type: "short_text", name: "dish", text: "What did you eat?" },
      { type: "rating", text: "How was {{Dish|it}}?", helpText: "{{field.customer|You}}", pageTitle: "On {{dish}}" },
    ];
    const fields = [{ name: "customer", type: "text" }];
    const settings = { completion: { message: "Thank you for {{dish|eating}}" } };
    const wrong = [{ ...questions[1], text: "{{nobody}}", helpText: "{{", choices: undefined }];
    const refused = await api.call("POST", "/surveys", { body: { name: "Piping", questions: wrong } });
    expect([refused.status, Object.keys(refused.body.error!.details)]).toEqual([
      422,
      ["questions.0.text", "questions.0.helpText", "questions.0.pageTitle"],
    ]);
    const { data: survey } = await api.post("/surveys", { name: "Piping", questions, fields, settings });
    const [{ id: dish }, { id: rated }] = (await api.get(`/surveys/${survey.id}/elements`)).data as Json[];
    expect((await api.get(`/surveys/${survey.id}`)).data.settings.completion.message).toBe(
      `Thank you for {{${dish}|eating}}`,
    );
    const text = async (id: string): Promise<string> => (await api.get(`/elements/${id}`)).data.questionText;
    expect(await text(rated)).toBe(`How was {{${dish}|it}}?`);

    const edit = (id: string, body: object) => api.call("PUT", `/elements/${id}/settings`, { body });
    expect((await edit(dish, { settings: {}, name: "meal" })).status).toBe(200);
    expect(await text(rated)).toBe(`How was {{${dish}|it}}?`);
    const bad = await edit(rated, {
      settings: {},
      questionText: "{{dish}} {{meal}} {{loop}}",
      helpText: "{{field.x}}",
    });
    expect(bad.body.error!.details).toEqual({
      questionText: [expect.stringContaining("{{dish}}"), expect.stringContaining("{{loop}}")],
      helpText: [expect.stringContaining("must name a field")],
    });
    const added = [
      { type: "yes_no", text: "{{meal}} again?", typeSettings: { labels: { yes: "{{meal}}!", no: "{{x}}" } } },
    ];
    const refusedAdding = await api.call("POST", `/surveys/${survey.id}/questions`, { body: { questions: added } });
    expect(Object.keys(refusedAdding.body.error!.details)).toEqual(["questions.0.typeSettings.labels.no"]);
    const patch = (completion: object) =>
      api.call("PATCH", `/surveys/${survey.id}`, { body: { settings: { completion } }, headers: { "if-match": "*" } });
    expect((await patch({ message: "{{dish}}" })).body.error!.details).toEqual({
      "settings.completion.message": [expect.stringContaining("must name an element of the survey")],
    });

    const document = (await api.call("GET", `/surveys/${survey.id}/document`)).body as Json;
    expect(document.pages[1].title).toBe(`On {{q_${dish}}}`);
    document.pages[1].elements[0].text = "Was {{meal}} good?";
    const replaced = await api.call("PUT", `/surveys/${survey.id}/document`, {
      body: document,
      headers: { "if-match": "*" },
    });
    expect(replaced.status).toBe(200);
    expect(await text(rated)).toBe(`Was {{${dish}}} good?`);
    const { data: copy } = await api.post(`/surveys/${survey.id}/copy`, { name: "Copy" });
    const [{ id: copied }, { id: asked }] = (await api.get(`/surveys/${copy.id}/elements`)).data as Json[];
    expect((await api.get(`/elements/${asked}`)).data.questionText).toBe(`Was {{${copied}}} good?`);

    await api.delete(`/elements/${copied}`);
    expect((await api.get(`/elements/${asked}`)).data.questionText).toBe("Was  good?");
    expect((await api.post(`/surveys/${copy.id}/publish/validate`)).data.issues).toEqual([]);

    await api.post(`/surveys/${survey.id}/publish`, undefined, { "if-match": "*" });
    const { data: link } = await api.post(`/distribution/surveys/${survey.id}`, { name: "Link" });
    await api.post(`/distribution/${link.id}/activate`);
    const opened = (await api.get(`/public/v1/links/${link.code}`)).data;
    expect(opened.definition.pages[1].elements[0].text).toBe(`Was {{${dish}}} good?`);
    const path = `/response/surveys/${survey.id}`;
    const { data: respondent } = await api.post(`${path}/respondents`, { fields: { customer: "Ann" } });
    const responses = [
      { elementId: dish, value: "{{meal}} <b>Soup</b>" },
      { elementId: rated, value: 4 },
    ];
    await api.post(path, { respondentId: respondent.respondentId, responses });
    const { data: made } = await api.post(`/exports/surveys/${survey.id}`, { format: "csv" });
    const done = async () => (await api.get(`/exports/${made.id}`)).data.status === "completed";
    await waitFor(done, { describe: "the export" });
    const { data: download } = await api.get(`/exports/${made.id}/download`);
    const file = await (await fetch(download.url)).text();
    expect(file).toContain("Was [meal] good?");
    expect(file).toContain("{{meal}} <b>Soup</b>");
  });
}
