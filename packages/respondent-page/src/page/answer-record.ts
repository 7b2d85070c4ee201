import { isSameJson } from "@canvass/inputs";
import type { DeviceStore } from "../saving/device-store.ts";
import type { Submission } from "../saving/link-api.ts";
import { faultsOf } from "./judge.ts";
import type { Way } from "./way.ts";

type Responses = Submission["responses"];

/** Which answers were handed to the saver, and which wait on this device (the draft). */
export function answerRecord(store: DeviceStore, known: ReadonlyMap<string, unknown>) {
  const stored = new Map(known);
  const draft: Record<string, unknown> = { ...store.read().draft };

  /** Takes off what this tab kept; what another tab has written in its place since stays. */
  function forget(answers: Record<string, unknown>): void {
    const kept = { ...store.read().draft };
    for (const [key, value] of Object.entries(answers)) {
      delete draft[key];
      if (isSameJson(kept[key] ?? null, value ?? null)) delete kept[key];
    }
    store.change({ draft: kept });
  }

  return {
    /** All answers by answer key. */
    all: () => new Map([...stored, ...Object.entries(draft)].filter(([, value]) => value !== null)),

    edit(key: string, value: unknown): void {
      draft[key] = value ?? null;
      // All tabs keep their drafts here.
      store.change({ draft: { ...store.read().draft, [key]: draft[key] } });
    },

    /** Takes a page's changed answers to be saved; null takes one back. With `onlyValid` the others stay in the draft. */
    take(way: Way, pageName: string, onlyValid: boolean): Responses {
      const changed = way.questionsOf(pageName).filter(({ key, stored: question }) => {
        const value = way.answers.get(key);
        if (isSameJson(value ?? null, stored.get(key) ?? null)) return false;
        return !onlyValid || value === undefined || faultsOf(question, value).length === 0;
      });
      const responses = changed.map(({ key }) => ({ elementId: key, value: way.answers.get(key) ?? null }));
      for (const { elementId, value } of responses) stored.set(elementId, value);
      forget(Object.fromEntries(responses.map(({ elementId, value }) => [elementId, value])));
      return responses;
    },

    /** The server refused them: they are sent again when their page is left, and wait on this device until then. */
    refuse(responses: Responses): void {
      const theirs = Object.fromEntries(responses.map(({ elementId, value }) => [elementId, value]));
      for (const key of Object.keys(theirs)) stored.delete(key);
      Object.assign(draft, { ...theirs, ...draft });
      store.change({ draft: { ...theirs, ...store.read().draft } });
    },

    /** Takes over what another tab stored, but for what was changed here since; `put` draws it. */
    merge(answers: Record<string, unknown>, put: (answers: ReadonlyMap<string, unknown>) => void): void {
      const theirs = new Map(Object.entries(answers).filter(([key]) => !Object.hasOwn(draft, key)));
      for (const [key, value] of theirs) stored.set(key, value);
      put(theirs);
      forget(Object.fromEntries(theirs));
    },

    /** Of all answers that stand now those that were not known here, but for what was changed here since; null was taken back. */
    missed(standing: ReadonlyMap<string, unknown>): Record<string, unknown> {
      const keys = [...new Set([...stored.keys(), ...standing.keys()])].filter((key) => !Object.hasOwn(draft, key));
      const differing = keys.filter((key) => !isSameJson(stored.get(key) ?? null, standing.get(key) ?? null));
      return Object.fromEntries(differing.map((key) => [key, standing.get(key) ?? null]));
    },
  };
}
