import { expect, test } from "vitest";
import { distributionOf, surprises, sampleQuestion } from "../../test/sample-question.ts";
import { fileUpload } from "./file-upload.ts";

const file = { fileId: "f1", name: "photo.PNG", size: 1_048_576, mimeType: "image/png" };

test("takes the metadata of files within its limits", () => {
  const question = sampleQuestion("file_upload", { typeSettings: { maxFiles: 2, maxSizeMb: 1, extensions: ["png"] } });
  expect(
    surprises(question, {
      good: [[file], [file, { ...file, fileId: "f2", size: 0 }]],
      bad: [
        [[], "", "at least 1"],
        [file, "", "list"],
        [[{ ...file, size: 1_048_577 }], "0.size", "1 MB"],
        [[{ ...file, size: -1 }], "0.size", "whole number"],
        [[{ ...file, name: "photo.gif" }], "0.name", "png"],
        [[{ ...file, name: "png" }], "0.name", "png"],
        [[{ ...file, name: "a\0.png" }], "0.name", "NUL"],
        [[{ ...file, mimeType: "png" }], "0.mimeType", "media type"],
        [[file, file], "1.fileId", "twice"],
        [[{ ...file, content: "AA==" }], "0.content", "not a known field"],
        [[{ fileId: "f1" }], "0.name", "required"],
        [[file, { ...file, fileId: "f2" }, { ...file, fileId: "f3" }], "", "at most 2"],
        [[null], "0", "object"],
      ],
    }),
  ).toEqual([]);
});

test("a file of the wrong shape hides nothing of the others", () => {
  const question = sampleQuestion("file_upload", { typeSettings: { maxFiles: 2, maxSizeMb: 1, extensions: ["png"] } });
  const value = [null, file, { ...file, size: "1" }, { ...file, name: "a.gif", size: 2_000_000 }];
  expect(fileUpload.checkValue(question, value).map(({ path }) => path)).toEqual([
    "0",
    "2.size",
    "",
    "3.size",
    "3.name",
    "3.fileId",
  ]);
});

test("the distribution counts files, and an export writes their names", () => {
  const question = sampleQuestion("file_upload", { typeSettings: { maxFiles: 2 } });
  expect(distributionOf(question, [[file, { ...file, fileId: "f2" }], [file]])).toEqual({ files: 3 });
  expect(fileUpload.exportCells(question, [file, { ...file, name: "b.txt" }])).toEqual([["photo.PNG", "b.txt"]]);
});
