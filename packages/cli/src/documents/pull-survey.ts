import { OperationalError } from "@canvass/provisioning";
import type { Canvass } from "@canvass/sdk";
import { digestOf, formatOf } from "./survey-file.ts";
import { isCreation, readState, writeState } from "./survey-state.ts";
import { readIfThere, writeWhole } from "./whole-file.ts";

export type PullWish = { url: string; surveyId: string; path: string; replace: boolean };

/** Writes a survey's document to a file. A file that is not as the last pull wrote it needs `replace`. */
export async function pullSurvey(canvass: Canvass, { url, surveyId, path, replace }: PullWish) {
  const [state, present] = [await readState(path, url), await readIfThere(path)];
  const known = isCreation(state) ? undefined : state;
  if (known && known.surveyId !== surveyId && !replace) {
    throw new OperationalError(`${path} is survey ${known.surveyId}; give another file, or --force.`);
  }
  const { text } = await canvass.surveys.document(surveyId, { format: formatOf(path) });
  const isChanged = present !== text;
  if (isChanged && present !== undefined && !replace && digestOf(present) !== known?.document) {
    throw new OperationalError(
      `${path} has changes of its own; nothing was written. See them by canvass plan ${path}, or replace it by --force.`,
    );
  }
  // The id comes first, so that no file stands without its survey; the digest last, so that none is trusted too early.
  if (known?.surveyId !== surveyId) await writeState(path, url, { surveyId, document: null });
  if (isChanged) await writeWhole(path, text, { replace: present !== undefined });
  await writeState(path, url, { surveyId, document: digestOf(text) });
  return { file: path, surveyId, url, changed: isChanged };
}
