import { TranslationFormat } from "@canvass/proto/survey-translations";
import { callOptions, type CallContext } from "@canvass/rpc";
import { auditEntries } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const as = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });
const anything = ["*"];

interface Written {
  surveyId: string;
  language?: string;
  texts: Record<string, unknown>;
  merges?: boolean;
  ifMatch?: string[];
}

async function write(
  { surveyId, language = "de", texts, merges = false, ifMatch = anything }: Written,
  context?: CallContext,
) {
  const change = { surveyId, language, ifMatch, merges, bodyJson: JSON.stringify(texts) };
  const { textsJson, etag } = await fixture.client.writeTranslation(change, as(context));
  return { texts: JSON.parse(textsJson) as Record<string, string>, etag };
}

async function textsIn(surveyId: string, language = "de"): Promise<Record<string, string>> {
  return JSON.parse((await fixture.client.getTranslation({ surveyId, language }, as())).textsJson);
}

const statusOf = async (surveyId: string) => (await fixture.client.listTranslations({ surveyId }, as())).languages;
const listPages = (surveyId: string) => fixture.pages(surveyId);
const versionIn = async (surveyId: string, versionId: string, language: string) => {
  const { versions } = await fixture.client.batchGetVersions(
    { versions: [{ workspaceId: "workspace0000001", surveyId, versionId, language }] },
    callOptions({}),
  );
  return versions[0]!;
};

/** A survey with a titled page, a rating with a constraint, a dropdown and a quota, which offers German and Arabic. */
async function createLunch() {
  const { surveyId } = await fixture.create({
    name: "Lunch",
    settings: { locale: { languages: ["de", "ar"] }, completion: { message: "Thank you." } },
    questions: [
      question("How was it?", {
        name: "liked",
        type: "rating",
        pageTitle: "Food",
        helpText: "Today",
        constraints: [{ must: { name: "liked", operator: "at_least", value: 2 }, message: "Two, {{liked}}." }],
      }),
      question("Which?", { name: "dish", type: "dropdown", choices: ["Soup", "Salad"] }),
    ],
    quotas: [
      { name: "All", when: { name: "dish", operator: "answered" }, limit: 5, onFull: "message", message: "Full." },
    ],
  });
  const { elements } = await fixture.listPage({ surveyId, limit: 100, page: 1, includeContent: true });
  const [rated, chosen] = elements as [{ id: string }, { id: string; choices: { id: string }[] }];
  const [page] = await listPages(surveyId);
  const [soup, salad] = chosen.choices;
  const { quotasJson } = await fixture.client.getQuotas({ surveyId }, as());
  const [quota] = JSON.parse(quotasJson) as [{ quotaId: string }];
  const texts: Record<string, string> = {
    "survey.name": "Mittagessen",
    "settings.completion.message": "Danke.",
    [`pages.${page!.pageId}.title`]: "Essen",
    [`elements.${rated.id}.text`]: "Wie war es?",
    [`elements.${rated.id}.helpText`]: "Heute",
    [`elements.${rated.id}.constraints.0.message`]: `Zwei, {{${rated.id}}}.`,
    [`elements.${chosen.id}.text`]: "Was?",
    [`choices.${soup!.id}`]: "Suppe",
    [`choices.${salad!.id}`]: "Salat",
    [`quotas.${quota.quotaId}.message`]: "Voll.",
  };
  return {
    surveyId,
    rated: rated.id,
    chosen: chosen.id,
    soup: soup!.id,
    salad: salad!.id,
    texts,
  };
}

test("a translation is read as written, in the survey's order, with its state", async () => {
  const { surveyId, texts, rated, soup } = await createLunch();
  const [before] = await statusOf(surveyId);
  expect(before).toMatchObject({ language: "de", places: 10, missing: 10, outdated: 0 });
  const { texts: written } = await write({ surveyId, texts });
  expect(Object.entries(written)).toEqual(Object.entries(texts));
  expect(await textsIn(surveyId)).toEqual(texts);
  expect(await textsIn(surveyId, "AR")).toEqual({});
  expect(await statusOf(surveyId)).toMatchObject([{ missing: 0 }, { language: "ar", missing: 10 }]);
  const merged = await write({
    surveyId,
    texts: { [`choices.${soup}`]: null, [`elements.${rated}.text`]: "Und?" },
    merges: true,
  });
  const { [`choices.${soup}`]: _, ...kept } = texts;
  expect(merged.texts).toEqual({ ...kept, [`elements.${rated}.text`]: "Und?" });
  expect(await statusOf(surveyId)).toMatchObject([{ missing: 1, missingPlaces: [`choices.${soup}`] }, {}]);
  expect((await write({ surveyId, texts: {} })).texts).toEqual({});
});

test("all violations are reported and nothing is written", async () => {
  const { surveyId, texts, rated } = await createLunch();
  const { etag } = await write({ surveyId, texts });
  const wrong = {
    [`elements.${rated}.text`]: "{{name}}?",
    "survey.name": "x".repeat(201),
    "elements.gone.text": "Weg",
    "survey.secret": "?",
  };
  expect(await refusal(write({ surveyId, texts: wrong, merges: true }))).toMatchObject({
    code: "validation_failed",
    details: {
      [`elements.${rated}.text`]: [expect.stringContaining("placeholders")],
      "survey.name": [expect.stringContaining("200")],
      "elements.gone.text": [expect.stringContaining("is not the path of a text")],
      "survey.secret": [expect.stringContaining("is not the path of a text")],
    },
  });
  for (const language of ["fr", "en", "x'; DROP TABLE", "\0"]) {
    expect(await refusal(write({ surveyId, language, texts }))).toMatchObject({
      code: "validation_failed",
      details: { language: [expect.stringContaining("de, ar")] },
    });
  }
  expect(await refusal(write({ surveyId, texts, ifMatch: [] }))).toMatchObject({ code: "precondition_required" });
  expect(await refusal(write({ surveyId, texts, ifMatch: ['"1"'] }))).toMatchObject({ code: "precondition_failed" });
  expect(await refusal(write({ surveyId: "0".repeat(16), texts }))).toMatchObject({ code: "survey_not_found" });
  expect(await textsIn(surveyId)).toEqual(texts);
  expect((await write({ surveyId, texts })).etag).toBe(etag);
});

test("a repeated key writes once, is audited once, and other workspaces do not find the survey", async () => {
  const { surveyId, texts } = await createLunch();
  const { context, replays } = idempotent("translate once", texts);
  const [first, second] = [await write({ surveyId, texts }, context), await write({ surveyId, texts }, context)];
  expect(second).toEqual(first);
  expect(replays).toHaveLength(1);
  const audited = (await auditEntries(fixture.sql)).filter(({ resourceId }) => resourceId === surveyId);
  expect(audited.map(({ action }) => action)).toEqual(["survey.created", "survey.translated"]);
  expect(JSON.parse(audited[1]!.afterJson)).toEqual({ language: "de", changed: 5 });
  const stranger = signedPerson({ workspaceId: "workspace0000002" });
  expect(await refusal(write({ surveyId, texts }, { signedCaller: stranger }))).toMatchObject({
    code: "survey_not_found",
  });
});

test("a version has the texts of its publication, only of the language that is asked for", async () => {
  const { surveyId, texts, rated } = await createLunch();
  const first = await fixture.publish(surveyId);
  await write({ surveyId, texts });
  const draft = await fixture.client.getDraft({ surveyId }, as());
  expect(draft).toMatchObject({ state: "dirty", changeCount: 4 });
  const second = await fixture.publish(surveyId);
  const untranslated = await versionIn(surveyId, first.versionId, "de");
  expect([untranslated.languages, untranslated.definitionJson.includes("Wie war es?")]).toEqual([[], false]);
  const german = await versionIn(surveyId, second.versionId, "de");
  expect(german.languages).toEqual(["de"]);
  const {
    pages: [page],
    quotas: [quota],
  } = JSON.parse(german.definitionJson);
  expect(quota.translations.de.message.text).toBe("Voll.");
  expect(page.translations.de.title.text).toBe("Essen");
  expect(page.elements[0].translations.de.text.text).toBe("Wie war es?");
  for (const language of ["", "ar", "xx"]) {
    expect((await versionIn(surveyId, second.versionId, language)).definitionJson).not.toContain("translations");
  }
  await write({ surveyId, texts: { [`elements.${rated}.text`]: "Und?" }, merges: true });
  await write({ surveyId, texts: { [`elements.${rated}.text`]: "Wie war es?" }, merges: true });
  expect((await fixture.client.getDraft({ surveyId }, as())).state).toBe("clean");
});

test("restoring a version restores its translations, and edits keep those of remaining texts", async () => {
  const { surveyId, texts, rated, chosen, soup } = await createLunch();
  await write({ surveyId, texts });
  const { versionId } = await fixture.publish(surveyId);
  // The same constraint as before, by name.
  const constraints = [{ must: { name: "liked", operator: "at_least", value: 2 }, message: "Two, {{liked}}." }];
  const questionText = "How did you like it?";
  await fixture.edit(rated, { edit: "settings", body: { settings: {}, questionText, constraints } });
  expect(await statusOf(surveyId)).toMatchObject([{ outdated: 1, outdatedPlaces: [`elements.${rated}.text`] }, {}]);
  const { warnings, valid } = await fixture.client.validateDraft({ surveyId }, as());
  expect(valid).toBe(true);
  expect(warnings[0]).toMatchObject({ code: "translation_outdated", path: `elements.${rated}.text` });
  expect(warnings.filter(({ code }) => code === "translation_missing")).toHaveLength(10);
  await fixture.edit(chosen, { edit: "deleteChoice", body: { choiceId: soup } });
  expect(Object.keys(await textsIn(surveyId))).not.toContain(`choices.${soup}`);
  const { quotasJson } = await fixture.client.getQuotas({ surveyId }, as());
  expect(quotasJson).not.toContain("translations");
  const [{ quotaId, ...quota }] = JSON.parse(quotasJson);
  const replaced = JSON.stringify({ quotas: [{ ...quota, message: "Closed." }] });
  await fixture.client.replaceQuotas({ surveyId, ifMatch: anything, bodyJson: replaced }, as());
  expect((await statusOf(surveyId))[0]!.outdatedPlaces).toContain(`quotas.${quotaId}.message`);
  await fixture.remove(rated);
  await fixture.client.restoreVersion({ surveyId, versionId, ifMatch: anything }, as());
  expect(await textsIn(surveyId)).toEqual(texts);
  expect((await fixture.client.getDraft({ surveyId }, as())).state).toBe("clean");
});

test("deleting an element removes its placeholders from translations, also where texts no longer name it", async () => {
  const must = { name: "who", operator: "answered" };
  const { surveyId } = await fixture.create({
    name: "Lunch",
    settings: { locale: { languages: ["de"] } },
    questions: [
      question("Who?", { name: "who" }),
      question("Sure?", { name: "sure", constraints: [{ must, message: "Who?" }], pageTitle: "For {{who}}" }),
      question("How, {{who}}?"),
    ],
  });
  const [, page] = await listPages(surveyId);
  const [who, sure, how] = (await fixture.elements(surveyId)).map(({ id }) => id as string) as [string, string, string];
  const title = `pages.${page!.pageId}.title`;
  const texts = {
    [title]: `Für {{${who}}}`,
    [`elements.${sure}.constraints.0.message`]: "Wer?",
    [`elements.${how}.text`]: `Wie, {{${who}|alle}}?`,
  };
  await write({ surveyId, texts });
  await fixture.edit(how, { edit: "settings", body: { settings: {}, questionText: "How?" } });
  await fixture.patchPage(surveyId, page!.pageId, { title: "Food" });
  await fixture.remove(who);
  const constraints = [{ must: { name: "sure", operator: "answered" }, message: "Really?" }];
  await fixture.edit(sure, { edit: "settings", body: { settings: {}, constraints } });
  expect(await textsIn(surveyId)).toEqual({ [title]: "Für ", [`elements.${how}.text`]: "Wie, alle?" });
  expect(await fixture.client.validateDraft({ surveyId }, as())).toMatchObject({ valid: true, issues: [] });
});

test("removing a text of the survey itself removes its translations", async () => {
  const { surveyId } = await createLunch();
  const update = (change: object) =>
    fixture.client.updateSurvey({ surveyId, ifMatch: anything, bodyJson: JSON.stringify(change) }, as());
  await update({ description: "First" });
  await write({
    surveyId,
    texts: { "survey.name": "Mittag", "survey.description": "Erstens", "settings.completion.message": "Danke." },
  });
  await update({ description: "", settings: { completion: { message: null } } });
  await update({ description: "Second", settings: { completion: { message: "Bye." } } });
  expect(await textsIn(surveyId)).toEqual({ "survey.name": "Mittag" });
});

test("a document has the translations, creates an equal survey, and applied to its own changes nothing", async () => {
  const { surveyId, texts } = await createLunch();
  await write({ surveyId, texts });
  const { documentJson, etag } = await fixture.client.getDocument({ surveyId }, as());
  expect(JSON.parse(documentJson).translations).toEqual({
    de: { name: "Mittagessen", "settings.completion.message": "Danke." },
  });
  const same = { surveyId, ifMatch: anything, bodyJson: documentJson };
  expect((await fixture.client.replaceDocument(same, as())).survey?.etag).toBe(etag);
  const { survey } = await fixture.client.importSurvey({ bodyJson: documentJson }, as());
  const copy = await fixture.client.getDocument({ surveyId: survey!.surveyId }, as());
  const withoutKeys = (json: string) => json.replaceAll(/[pqe]_[0-9a-z]{16}/g, "key");
  expect(withoutKeys(copy.documentJson)).toBe(withoutKeys(documentJson));
  const withoutIds = (of: Record<string, string>) =>
    Object.values(of).map((text) => text.replace(/\{\{.*\}\}/, "{{}}"));
  expect(withoutIds(await textsIn(survey!.surveyId))).toEqual(withoutIds(texts));
  const { translations: __, ...bare } = JSON.parse(documentJson);
  await fixture.client.replaceDocument({ ...same, bodyJson: JSON.stringify(bare) }, as());
  expect(await textsIn(surveyId)).not.toHaveProperty("survey.name");
});

test("respondents get the survey's own texts in the nearest language that it offers", async () => {
  const { surveyId, texts } = await createLunch();
  await write({ surveyId, texts });
  const shown = async (wantedLanguage: string, contactLanguage = "") => {
    const asked = { workspaceId: "workspace0000001", surveyId, wantedLanguage, contactLanguage };
    const { shownLanguage, textsJson } = await fixture.client.getPublicSurvey(asked, callOptions({}));
    return [shownLanguage, textsJson];
  };
  const own = { name: "Mittagessen", "settings.completion.message": "Danke." };
  const [language, json] = await shown("de-AT");
  expect([language, JSON.parse(json!)]).toEqual(["de", own]);
  expect(await shown("ar")).toEqual(["ar", ""]);
  expect(await shown("ar", "de")).toEqual(["ar", ""]);
  expect((await shown("", "de"))[0]).toBe("de");
  for (const other of ["", "en", "fr", "\0"]) expect(await shown(other)).toEqual(["en", ""]);
  await fixture.patch(surveyId, "*", { settings: { privacy: { anonymity: "partial" } } });
  expect(await shown("", "de")).toEqual(["en", ""]);
});

test("`locale.languages` and its former name `locale.additional` are one setting", async () => {
  const { surveyId } = await fixture.create({ name: "One", settings: { locale: { additional: ["fr"] } } });
  const locale = async () => JSON.parse((await fixture.read(surveyId)).settingsJson).locale;
  expect(await locale()).toMatchObject({ languages: ["fr"], additional: ["fr"] });
  const patch = (given: object) => fixture.patch(surveyId, "*", { settings: { locale: given } });
  await patch({ languages: ["de"] });
  expect(await locale()).toMatchObject({ languages: ["de"], additional: ["de"] });
  expect(await refusal(patch({ languages: ["de"], additional: ["fr"] }))).toMatchObject({
    details: { "settings.locale.additional": [expect.stringContaining("same as languages")] },
  });
  await patch({ additional: null });
  expect(await locale()).toMatchObject({ languages: [], additional: [] });
});

test("a translators' file is imported unchanged, except texts whose source has changed", async () => {
  const { surveyId, texts, rated } = await createLunch();
  for (const format of [TranslationFormat.PO, TranslationFormat.CSV]) {
    await write({ surveyId, texts });
    const { file } = await fixture.client.getTranslation({ surveyId, language: "de", format }, as());
    expect([file.includes("Two, {{liked}}."), file.includes("Zwei, {{liked}}.")]).toEqual([true, true]);
    await write({ surveyId, texts: {} });
    const importing = (text: string) =>
      fixture.client.importTranslation({ surveyId, language: "de", format, text, ifMatch: anything }, as());
    expect(await importing(file)).toMatchObject({ written: 10, outdated: [] });
    expect(await textsIn(surveyId)).toEqual(texts);
    const questionText = `How did you like it, asks ${format}?`;
    await fixture.edit(rated, { edit: "settings", body: { settings: {}, questionText } });
    expect(await importing(file)).toMatchObject({ outdated: [`elements.${rated}.text`] });
    expect(await statusOf(surveyId)).toMatchObject([{ outdated: 1 }, {}]);
    const other = file.replaceAll("survey.name", "survey.nickname");
    expect(await refusal(importing(other))).toMatchObject({ details: { "survey.nickname": [expect.any(String)] } });
    expect(await refusal(importing("nonsense \u0000"))).toMatchObject({ code: "validation_failed" });
  }
});
