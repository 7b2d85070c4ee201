import type { SurveyModel } from "survey-core";
import type { PagePath } from "./page-path.ts";
import { putAnswer } from "./placed.ts";

/** Restores answers; null removes one. Draws newly reached pages before it sets the answers there. */
export function restore(model: SurveyModel, path: PagePath, given: ReadonlyMap<string, unknown>): void {
  for (const [key, value] of given) {
    if (value === null) path.answers.delete(key);
    else path.answers.set(key, value);
  }
  path.follow();
  path.together(() => {
    for (const key of given.keys()) {
      const place = path.placed.get(key);
      if (place) putAnswer(model, place, path.answers.get(key));
    }
  });
}
