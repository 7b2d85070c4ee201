import type { PublicDefinition } from "@canvass/questions";
import type { DeviceStore } from "../saving/device-store.ts";
import type { WatchedApi } from "../saving/elsewhere.ts";
import type { Link } from "../saving/link-api.ts";
import type { Refusal } from "../saving/refusal.ts";
import type { SaveQueue } from "../saving/save-queue.ts";
import type { Words } from "../words/words.ts";

/** What a survey needs to be answered, and what it tells in the end. */
export interface SurveyRun {
  root: HTMLElement;
  code: string;
  api: WatchedApi;
  store: DeviceStore;
  queue: SaveQueue;
  link: Link;
  definition: PublicDefinition;
  words: Words;
  language: string;
  /** Answers that the server has or will have from the queue. */
  stored: ReadonlyMap<string, unknown>;
  /** The page the server heard of last. */
  lastPage: string | null;
  onDone: () => void;
  /** The respondent is another one, or on another version: all is read and drawn again. */
  onAnew: () => void;
  /** Why answers are not taken any more, for people. */
  whyClosed: (refusal: Refusal) => Promise<string>;
  onLanguage: (language: string) => void;
}
