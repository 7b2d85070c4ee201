import type { SurveyModel } from "survey-core";
import type { DeviceStore } from "../saving/device-store.ts";
import type { PagePath } from "./page-path.ts";
import type { Placed } from "./placed.ts";
import { restore } from "./survey-model.ts";
import { violationsOf } from "./validate-answers.ts";

/**
 * Answers unanswered questions of a page as the address does, or with their defaults. Each is filled once on a device,
 * because its answer may be taken back.
 */
export function fillDefaults(
  model: SurveyModel,
  path: PagePath,
  store: DeviceStore,
  prefilled: ReadonlyMap<string, unknown>,
  pageName: string,
): void {
  const valueOf = ({ key, source }: Placed) => prefilled.get(key) ?? source.defaultValue;
  const waiting = path.questionsOf(pageName).filter((place) => valueOf(place) !== undefined);
  if (waiting.length === 0) return;
  const filled = new Set(store.read().filled);
  const fresh = waiting.filter(({ key }) => !filled.has(key));
  if (fresh.length === 0) return;
  store.change({ filled: [...filled, ...fresh.map(({ key }) => key)] });
  for (const place of fresh) {
    const { key } = place;
    const value = valueOf(place);
    const isOpen = !path.answers.has(key) && violationsOf(place, value).length === 0;
    if (isOpen) restore(model, path, new Map([[key, value]]));
  }
}
