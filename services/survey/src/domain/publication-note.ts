import type { Fault } from "@canvass/errors";
import { isStorable } from "@canvass/questions";

const LONGEST_NOTE = 1000;

/** What is wrong with the note somebody publishes with; empty is fine. */
export function noteFaults(note: string): Fault[] {
  if (isStorable(note) && Array.from(note).length <= LONGEST_NOTE) return [];
  return [{ path: "note", message: `must be text of at most ${LONGEST_NOTE} characters` }];
}
