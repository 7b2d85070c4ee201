import type { SurveyDefinition } from "@canvass/questions";
import { expect, test } from "vitest";
import type { StoredImport } from "../../storage/imports/response-imports.ts";
import { createLeftOutFinder } from "./left-out-finder.ts";

const definition: SurveyDefinition = { pages: [] };
const stored = (workspaceId: string, importId: string, ...headings: string[]) =>
  ({ workspaceId, importId, surveyId: "s", versionId: "v", headings }) as unknown as StoredImport;

test("the headings that an import leaves out are found once, however often it is read", async () => {
  const asked: string[] = [];
  const findLeftOut = createLeftOutFinder({
    version: ({ workspaceId, versionId }) => {
      asked.push(workspaceId);
      return Promise.resolve({ versionId, versionNumber: 1, definition });
    },
  });
  for (let time = 0; time < 2; time += 1) {
    expect(await findLeftOut(stored("w", "one", "status", "other"))).toEqual(["other"]);
    expect(await findLeftOut(stored("w", "two", "status"))).toEqual([]);
    expect(await findLeftOut(stored("x", "one", "third"))).toEqual(["third"]);
  }
  expect(asked).toEqual(["w", "w", "x"]);
});
