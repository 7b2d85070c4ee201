import type { SurveyModel } from "survey-core";
import type { DeviceStore } from "../saving/device-store.ts";
import type { PagePath } from "./page-path.ts";
import type { Placed } from "./placed.ts";
import { restore } from "./restore.ts";
import { violationsOf } from "./validation.ts";

/**
 * Answers unanswered questions of a page with the answers of the address, or with their defaults. Each is filled once on
 * a device, because its answer may be taken back.
 */
export function fillDefaults(
  model: SurveyModel,
  path: PagePath,
  store: DeviceStore,
  prefilled: ReadonlyMap<string, unknown>,
  pageName: string,
): void {
  const valueOf = ({ key, source }: Placed) => prefilled.get(key) ?? source.defaultValue;

  /** Returns false if there is nothing to fill in. Answers that it fills in may show further questions. */
  function fill(): boolean {
    const waiting = path.questionsOf(pageName).filter((place) => valueOf(place) !== undefined);
    if (waiting.length === 0) return false;
    const filled = new Set(store.read().filled);
    const fresh = waiting.filter(({ key }) => !filled.has(key));
    if (fresh.length === 0) return false;
    store.change({ filled: [...filled, ...fresh.map(({ key }) => key)] });
    const open = fresh.filter(
      (place) => !path.answers.has(place.key) && violationsOf(place, valueOf(place)).length === 0,
    );
    restore(model, path, new Map(open.map((place) => [place.key, valueOf(place)])));
    return true;
  }
  while (fill());
}
