import { shownItems, type PublicElement, type PublicPage } from "@canvass/questions";

export interface LoopItem {
  id: string;
  text: string;
  pinned?: boolean;
}

/**
 * Returns the items for which a page with a loop may repeat, in the respondent's order: the choices of `source`, and
 * its Other.
 */
export function loopItems({ id, loop }: PublicPage, source: PublicElement, seed: number): LoopItem[] {
  const [other] = otherOf(source);
  const items: LoopItem[] = [...(source.choices ?? []), ...(other ? [other] : [])];
  return loop?.shuffle ? shownItems(id, items, other?.id ?? null, seed) : items;
}

function otherOf({ settings }: PublicElement): { id: string; text: string }[] {
  const other = settings["other"] as { label: string; choiceId: string | null } | undefined;
  return other?.choiceId ? [{ id: other.choiceId, text: other.label }] : [];
}
