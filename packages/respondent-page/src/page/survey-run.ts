import type { PublicDefinition, RespondentContext, ValueOf } from "@canvass/questions";
import type { DeviceStore } from "../saving/device-store.ts";
import type { WatchedApi } from "../saving/watch-other-devices.ts";
import type { FullQuota, Link } from "../saving/link-api.ts";
import type { Refusal } from "../saving/refusal.ts";
import type { SaveQueue } from "../saving/save-queue.ts";
import type { Words } from "../words/words.ts";

export interface SurveyRun {
  root: HTMLElement;
  /** Aborted by what is drawn next. */
  ending: AbortController;
  code: string;
  api: WatchedApi;
  store: DeviceStore;
  queue: SaveQueue;
  link: Link;
  definition: PublicDefinition;
  fields: RespondentContext["fields"];
  /** Texts of the page itself, such as those of its buttons. */
  words: Words;
  /** The language of the survey's texts. */
  language: string;
  /** The language of `words`: of those that the page has, the nearest to `language`. */
  wordsLanguage: string;
  stored: ReadonlyMap<string, unknown>;
  lastPage: string | null;
  /** Null: no respondent has begun, or the stored one has no seed. */
  orderSeed: number | null;
  /** The last page waits to be sent. */
  isSending: boolean;
  /** `text` is shown unless the survey has a message of its own. */
  onDone: (valueOf: ValueOf, text: string) => void;
  onFull: (quota: FullQuota) => void;
  /** Called when the respondent or the version changed: everything must be read and drawn again. */
  onReload: () => void;
  whyClosed: (refusal: Refusal) => Promise<string>;
  onLanguage: (language: string) => void;
}
