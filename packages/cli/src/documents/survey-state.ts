import { rm } from "node:fs/promises";
import { OperationalError } from "@canvass/provisioning";
import type { DocumentText } from "@canvass/sdk";
import { readIfThere, writeWhole } from "./whole-file.ts";

/** The survey of an installation that a file describes, and its document's digest at the last pull or apply. */
export interface SurveyState {
  surveyId: string;
  /** SHA-256 of the survey's document, in the file's format; null: not known. */
  document: string | null;
}

/** The creation of a survey that was sent and not confirmed. Sent again with its key, it creates no second one. */
export interface Creation {
  creating: DocumentText & { idempotencyKey: string; since: string };
}

type Installations = Record<string, SurveyState | Creation>;

/** The file beside a survey's file that names its survey, by the address of the installation. Both are committed. */
export const statePath = (path: string): string => `${path}.state.json`;

/** Returns the state of a file at an installation; undefined if it has no survey there. */
export async function readState(path: string, url: string): Promise<SurveyState | Creation | undefined> {
  return (await readInstallations(path))[url];
}

/** Keeps the state of a file at an installation; undefined removes it. */
export async function writeState(path: string, url: string, state: SurveyState | Creation | undefined): Promise<void> {
  const { [url]: _, ...others } = await readInstallations(path);
  const installations = state ? { ...others, [url]: state } : others;
  const sorted = Object.entries(installations).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (sorted.length === 0) return rm(statePath(path), { force: true });
  await writeWhole(statePath(path), `${JSON.stringify({ installations: Object.fromEntries(sorted) }, null, 2)}\n`, {
    replace: true,
  });
}

export const isCreation = (state: SurveyState | Creation | undefined): state is Creation =>
  state !== undefined && "creating" in state;

async function readInstallations(path: string): Promise<Installations> {
  const text = await readIfThere(statePath(path));
  if (text === undefined) return {};
  try {
    const { installations } = Object(JSON.parse(text)) as { installations?: Installations };
    if (Object.values(installations!).every(isState)) return installations!;
  } catch {
    // Told below.
  }
  throw new OperationalError(
    `${statePath(path)} is not as canvass wrote it; restore it, or name the survey anew by canvass pull after deleting it.`,
  );
}

function isState(value: Partial<SurveyState & Creation> | null): boolean {
  if (typeof value?.creating === "object") {
    const { text, idempotencyKey, since } = Object(value.creating) as Partial<Creation["creating"]>;
    return [text, idempotencyKey, since].every((each) => typeof each === "string");
  }
  const { surveyId, document } = Object(value) as Partial<SurveyState>;
  return typeof surveyId === "string" && (document === null || typeof document === "string");
}
