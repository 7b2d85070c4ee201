import { answerOnPath } from "./answer-on-path.ts";
import { withoutRetired } from "./choice-list.ts";
import { chosenId, entriesOf } from "./chosen-choices.ts";
import type { Scope } from "./conditions/evaluate.ts";
import type { Question } from "./definition.ts";
import type { Walk } from "./walk.ts";

/** Returns the ids of the choices that a question could carry and does not; all if the source is not asked. */
export function notCarried(walk: Walk, { choices, logic }: Question, { position, itemId, before }: Scope): string[] {
  const from = logic?.choicesFrom;
  const source = from && walk.index.elements.get(from.elementId);
  if (!source) return [];
  const ids = withoutRetired(choices).map(({ id }) => id);
  const { pageIndex, order } = source;
  const isOnPage = pageIndex === position;
  const sourceItem = isOnPage ? itemId : null;
  const isVisited = isOnPage || (walk.visited[pageIndex]?.includes(null) ?? false);
  const hidden = order < before && isVisited ? walk.hiddenOf(source, sourceItem) : "all";
  if (hidden === "all") return ids;
  const chosen = new Set(entriesOf(answerOnPath(walk, source, sourceItem)).map(chosenId));
  const isCarried = {
    selected: (id: string) => chosen.has(id),
    not_selected: (id: string) => !chosen.has(id) && !hidden.has(id),
    shown: (id: string) => !hidden.has(id),
  }[from.which];
  return ids.filter((id) => !isCarried(id));
}
