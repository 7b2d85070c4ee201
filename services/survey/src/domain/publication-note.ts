import { type Fault, isStorable, unstorable } from "@canvass/inputs";

const LONGEST_NOTE = 1000;

/** What is wrong with the note somebody publishes with; empty is fine. */
export function noteFaults(note: string): Fault[] {
  const faults: Fault[] = [];
  if (note.length > 2 * LONGEST_NOTE || Array.from(note).length > LONGEST_NOTE) {
    faults.push({ path: "note", message: `must be text of at most ${LONGEST_NOTE} characters` });
  }
  if (!isStorable(note)) faults.push({ path: "note", message: unstorable });
  return faults;
}
