import type { Database } from "@canvass/postgres";
import type { BatchGetCollectionsRequest } from "@canvass/proto/survey";
import type { SurveyService } from "@canvass/proto/survey-service";
import type { BatchGetVersionsRequest } from "@canvass/proto/survey-versions";
import type { SurveyDefinition } from "@canvass/questions";
import type { RpcClient } from "@canvass/rpc";
import { expect, test } from "vitest";
import { createSurveyDirectory } from "./survey-directory.ts";

/** A database without rows. */
const empty = { hot: { sql: { query: async () => [] } } } as unknown as Pick<Database<unknown>, "pool" | "hot">;

const mebi = 1024 * 1024;

/** A directory on a stub survey service: versions have `length` characters, and a response holds `room` of them. */
function directoryOf(length: number, room: number) {
  const asked: string[][] = [];
  const definition: SurveyDefinition = {
    pages: [{ pageId: "p", title: "x".repeat(length), loop: null, skipLogic: [], elements: [] }],
  };
  const definitionJson = JSON.stringify(definition);
  const batchGetVersions = async ({ versions }: Pick<BatchGetVersionsRequest, "versions">) => {
    asked.push(versions.map(({ versionId }) => versionId));
    return {
      versions: versions.map(({ versionId }, index) =>
        versionId === "absent"
          ? { versionId: "", versionNumber: 0, definitionJson: "", leftOut: false }
          : { versionId, versionNumber: 1, definitionJson: index < room ? definitionJson : "", leftOut: index >= room },
      ),
    };
  };
  const client = { batchGetVersions } as unknown as RpcClient<typeof SurveyService>;
  const directory = createSurveyDirectory(client, empty);
  const version = (versionId: string) => directory.version({ workspaceId: "w", surveyId: "s", versionId });
  return { version, asked };
}

test("versions that a response leaves out are requested again, and concurrent requests of a version share one", async () => {
  const { version, asked } = directoryOf(10, 2);
  const versions = await Promise.all(["a", "b", "c", "a", "d", "e", "a"].map(version));
  expect(versions.map(({ versionId }) => versionId)).toEqual(["a", "b", "c", "a", "d", "e", "a"]);
  expect(asked).toEqual([["a", "b", "c", "d", "e"], ["c", "d", "e"], ["e"]]);
  expect(await version("c")).toBe(versions[2]);
  expect(asked).toHaveLength(3);
});

test("an absent version is an absent survey, and is not cached", async () => {
  const { version, asked } = directoryOf(10, 2);
  await expect(version("absent")).rejects.toMatchObject({ code: "survey_not_found" });
  await expect(version("absent")).rejects.toMatchObject({ code: "survey_not_found" });
  expect(asked).toHaveLength(2);
});

test("the cache of versions is limited by their length", async () => {
  const { version, asked } = directoryOf(4 * mebi, 1);
  for (let index = 0; index < 20; index++) await version(String(index));
  await version("19");
  expect(asked).toHaveLength(20);
  await version("0");
  expect(asked).toHaveLength(21);
});

test("an error of one survey fails the requests for it, and no others in their batch", async () => {
  const batchGetCollections = async ({ surveys }: Pick<BatchGetCollectionsRequest, "surveys">) => ({
    collections: surveys.map(({ surveyId }) => ({
      found: true,
      settingsJson: "",
      revision: 0n,
      ...(surveyId === "broken0000000000" && { error: { code: "internal_error", message: "", detailsJson: "" } }),
    })),
  });
  const client = { batchGetCollections } as unknown as RpcClient<typeof SurveyService>;
  const directory = createSurveyDirectory(client, empty);
  const told = ["good000000000000", "broken0000000000", "better0000000000"].map((surveyId) =>
    directory.collectingState({ workspaceId: "w", surveyId }),
  );
  const found = { status: "fulfilled", value: { found: true } };
  expect(await Promise.allSettled(told)).toMatchObject([
    found,
    { status: "rejected", reason: { code: "internal_error" } },
    found,
  ]);
});

/** Versions that are translated into German. Notes the languages that are asked for. */
function translatedInto(asked: string[]) {
  const page = { pageId: "p", title: "Lunch", loop: null, skipLogic: [], elements: [] };
  const translations = { de: { title: { text: "Mittagessen", source: "" } } };
  const batchGetVersions = async ({ versions }: Pick<BatchGetVersionsRequest, "versions">) => ({
    versions: versions.map(({ versionId, language }) => {
      asked.push(language);
      const definitionJson = JSON.stringify({ pages: [language === "" ? page : { ...page, translations }] });
      return { versionId, versionNumber: 1, definitionJson, leftOut: false, languages: ["de"] };
    }),
  });
  return createSurveyDirectory({ batchGetVersions } as unknown as RpcClient<typeof SurveyService>, empty);
}

test("a version is asked for in a language only if it is translated into it, and once", async () => {
  const asked: string[] = [];
  const directory = translatedInto(asked);
  const titles: unknown[] = [];
  for (const language of ["", "de", "fr", "de-AT", undefined, "de"]) {
    const { definition } = await directory.version({ workspaceId: "w", surveyId: "s", versionId: "v" }, language);
    titles.push(definition.pages[0]!.title);
  }
  expect(titles).toEqual(["Lunch", "Mittagessen", "Lunch", "Mittagessen", "Lunch", "Mittagessen"]);
  expect(asked).toEqual(["", "de"]);
});

test("a respondent's version is in the survey's language, unless another is asked for", async () => {
  const asked: string[] = [];
  const respondent = { workspaceId: "w", surveyId: "s", versionId: "v", language: "de" };
  await translatedInto(asked).version(respondent);
  expect(asked).toEqual([""]);
});
