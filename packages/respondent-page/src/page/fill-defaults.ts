import type { SurveyModel } from "survey-core";
import type { DeviceStore } from "../saving/device-store.ts";
import type { PagePath } from "./page-path.ts";
import { restore } from "./survey-model.ts";
import { violationsOf } from "./validate-answers.ts";

/** Answers unanswered questions of a page with their defaults, each once on a device: it may be taken back. */
export function fillDefaults(model: SurveyModel, path: PagePath, store: DeviceStore, pageName: string): void {
  const waiting = path.questionsOf(pageName).filter(({ source }) => source.defaultValue !== undefined);
  if (waiting.length === 0) return;
  const filled = new Set(store.read().filled);
  const fresh = waiting.filter(({ key }) => !filled.has(key));
  if (fresh.length === 0) return;
  store.change({ filled: [...filled, ...fresh.map(({ key }) => key)] });
  for (const { key, source, stored } of fresh) {
    const isOpen = !path.answers.has(key) && violationsOf(stored, source.defaultValue).length === 0;
    if (isOpen) restore(model, path, new Map([[key, source.defaultValue]]));
  }
}
