import { isSameJson } from "@canvass/values";
import type { DeviceStore } from "../saving/device-store.ts";
import type { Submission } from "../saving/link-api.ts";
import { isAcceptable } from "./validation.ts";
import type { PagePath } from "./page-path.ts";
import type { Placed } from "./placed.ts";

type Responses = Submission["responses"];

/** Tracks which answers went to the saver and which changed since. The device stores changed answers as a draft. */
export function answerRecord(store: DeviceStore, known: ReadonlyMap<string, unknown>) {
  const stored = new Map(known);
  const isKnown = (key: string, value: unknown) => isSameJson(value ?? null, stored.get(key) ?? null);
  const waiting = Object.entries(store.read().draft ?? {}).filter(([key, value]) => !isKnown(key, value));
  const draft: Record<string, unknown> = Object.fromEntries(waiting);

  /** Removes saved answers from the stored draft. A value that any tab wrote since stays. */
  function forget(answers: Record<string, unknown>): void {
    const kept = { ...store.read().draft };
    for (const [key, value] of Object.entries(answers))
      if (isSameJson(kept[key] ?? null, value ?? null)) delete kept[key];
    store.change({ draft: kept });
  }

  return {
    all: () => new Map([...new Map([...stored, ...Object.entries(draft)])].filter(([, value]) => value !== null)),

    /** Whether an answer differs from what went to the saver. */
    hasUnsent: () => Object.entries(draft).some(([key, value]) => !isKnown(key, value)),

    edit(key: string, value: unknown): void {
      draft[key] = value ?? null;
      // All tabs share one stored draft.
      store.change({ draft: { ...store.read().draft, [key]: draft[key] } });
    },

    /** Takes a page's changed answers for saving, and valid drafts of `passed` pages, which a reload left unsent. */
    take(path: PagePath, pageName: string, passed: readonly string[], onlyValid: boolean): Responses {
      const isValid = (each: Placed) => isAcceptable(path, each);
      const own = path.questionsOf(pageName).filter((each) => !onlyValid || isValid(each));
      const left = passed.flatMap(path.questionsOf).filter((each) => Object.hasOwn(draft, each.key) && isValid(each));
      const changed = [...left, ...own].filter(({ key }) => !isKnown(key, path.answers.get(key)));
      const responses = changed.map(({ key }) => ({ elementId: key, value: path.answers.get(key) ?? null }));
      for (const { elementId, value } of responses) {
        stored.set(elementId, value);
        delete draft[elementId];
      }
      return responses;
    },

    /** The server or the persistent queue has these answers, so the draft drops them. */
    keep: (responses: Responses) => forget(byKey(responses)),

    /** The server refused these answers: they return to the draft, and leaving their page sends them again. */
    refuse(responses: Responses): void {
      const theirs = byKey(responses);
      for (const key of Object.keys(theirs)) stored.delete(key);
      Object.assign(draft, { ...theirs, ...draft });
      store.change({ draft: { ...theirs, ...store.read().draft } });
    },

    /** Applies another tab's answers, except answers that have changed here since. `put` draws them. */
    merge(answers: Record<string, unknown>, put: (answers: ReadonlyMap<string, unknown>) => void): void {
      const theirs = new Map(Object.entries(answers).filter(([key]) => !Object.hasOwn(draft, key)));
      for (const [key, value] of theirs) stored.set(key, value);
      put(theirs);
      // Drawing them changed nothing here.
      for (const key of theirs.keys()) delete draft[key];
      forget(Object.fromEntries(theirs));
    },

    /** Returns answers that differ from those known here, except answers changed here since; null means removed. */
    missed(current: ReadonlyMap<string, unknown>): Record<string, unknown> {
      const keys = [...new Set([...stored.keys(), ...current.keys()])].filter((key) => !Object.hasOwn(draft, key));
      const differing = keys.filter((key) => !isSameJson(stored.get(key) ?? null, current.get(key) ?? null));
      return Object.fromEntries(differing.map((key) => [key, current.get(key) ?? null]));
    },
  };
}

const byKey = (responses: Responses) => Object.fromEntries(responses.map(({ elementId, value }) => [elementId, value]));
