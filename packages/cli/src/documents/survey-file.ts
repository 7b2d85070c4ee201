import { createHash } from "node:crypto";
import { OperationalError } from "@canvass/provisioning";
import type { DocumentText } from "@canvass/sdk";
import { readIfThere } from "./whole-file.ts";

export const defaultFile = "survey.yaml";

/** A file with the document of a survey. */
export type SurveyFile = DocumentText & { path: string };

export const formatOf = (path: string): DocumentText["format"] => (path.endsWith(".json") ? "json" : "yaml");

/** Reads a survey's file, which the API validates. Throws OperationalError if there is none. */
export async function readSurveyFile(path: string): Promise<SurveyFile> {
  const text = await readIfThere(path);
  if (text === undefined) {
    throw new OperationalError(`There is no ${path}; write one, or make it of a survey: canvass pull <survey> ${path}`);
  }
  return { path, text, format: formatOf(path) };
}

export const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
