import { isSameJson } from "@canvass/values";
import type { DeviceStore } from "../saving/device-store.ts";
import type { Submission } from "../saving/link-api.ts";
import { faultsOf } from "./judge.ts";
import type { Placed, Way } from "./way.ts";

type Responses = Submission["responses"];

/** Which answers were handed to the saver, and which were changed since; the device keeps both until they are safe. */
export function answerRecord(store: DeviceStore, known: ReadonlyMap<string, unknown>) {
  const stored = new Map(known);
  const isKnown = (key: string, value: unknown) => isSameJson(value ?? null, stored.get(key) ?? null);
  const waiting = Object.entries(store.read().draft ?? {}).filter(([key, value]) => !isKnown(key, value));
  const draft: Record<string, unknown> = Object.fromEntries(waiting);

  /** Takes off the device what is safe elsewhere; what was written in its place since, by any tab, stays. */
  function forget(answers: Record<string, unknown>): void {
    const kept = { ...store.read().draft };
    for (const [key, value] of Object.entries(answers))
      if (isSameJson(kept[key] ?? null, value ?? null)) delete kept[key];
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

    /**
     * Takes a page's changed answers to be saved; null takes one back. With `onlyValid` the others stay in the draft. What
     * waits of `passed` pages goes along: a reload opens the page that was open, also where these were not sent.
     */
    take(way: Way, pageName: string, passed: readonly string[], onlyValid: boolean): Responses {
      const isValid = ({ key, stored: question }: Placed) => {
        const value = way.answers.get(key);
        return value === undefined || faultsOf(question, value).length === 0;
      };
      const own = way.questionsOf(pageName).filter((each) => !onlyValid || isValid(each));
      const left = passed.flatMap(way.questionsOf).filter((each) => Object.hasOwn(draft, each.key) && isValid(each));
      const changed = [...left, ...own].filter(({ key }) => !isKnown(key, way.answers.get(key)));
      const responses = changed.map(({ key }) => ({ elementId: key, value: way.answers.get(key) ?? null }));
      for (const { elementId, value } of responses) {
        stored.set(elementId, value);
        delete draft[elementId];
      }
      return responses;
    },

    /** These were stored, or wait where a reload does not lose them. */
    keep: (responses: Responses) => forget(byKey(responses)),

    /** The server refused them: they are sent again when their page is left, and wait on this device until then. */
    refuse(responses: Responses): void {
      const theirs = byKey(responses);
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

const byKey = (responses: Responses) => Object.fromEntries(responses.map(({ elementId, value }) => [elementId, value]));
