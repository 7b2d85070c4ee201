import { AppError } from "@canvass/errors";
import type { Change } from "@canvass/questions";

/** A refusal omits longer values; the list of changes has them in full. */
const mostCharacters = 300;

const advice =
  "Undo these changes in the draft. Instead of changing an answered question, add a new one and retire the old one.";

/** `changesId` acknowledges all changes. Changes that affect no answer need no acknowledgement. */
export function requireAcknowledged(
  changes: readonly Change[],
  changesId: string,
  acknowledged: readonly string[],
): void {
  const breaking = changes.filter((change) => change.class === "breaking");
  if (breaking.length > 0) throw new AppError("breaking_change", { advice, changes: breaking.map(shown) });
  const known = new Set(acknowledged);
  if (known.has(changesId)) return;
  const open = changes.filter(
    ({ class: effect, affectedResponses, changeId }) =>
      effect === "results_affecting" && affectedResponses > 0 && !known.has(changeId),
  );
  if (open.length > 0) throw new AppError("acknowledgement_required", { changes: open.map(shown) });
}

function shown(change: Change): Change {
  return { ...change, before: brief(change.before), after: brief(change.after) };
}

function brief(value: unknown): unknown {
  return JSON.stringify(value).length > mostCharacters ? null : value;
}
