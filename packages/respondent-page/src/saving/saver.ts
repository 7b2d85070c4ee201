import type { FullQuota, LinkApi, OwnState, Submission, Submitted } from "./link-api.ts";
import { Refusal } from "./refusal.ts";
import { randomWord, type DeviceStore } from "./device-store.ts";
import { inTurn } from "./in-turn.ts";
import { keepIncomplete, leaveOutRemoved } from "./change-waiting.ts";
import type { Save, SaveQueue } from "./save-queue.ts";

/** `offline`: the server is unreachable; `busy`: it asks to wait. */
export type SavingState = "idle" | "saving" | "saved" | "offline" | "busy";

interface SaverEvents {
  onState: (state: SavingState) => void;
  onStored: (save: Save, submitted: Submitted) => void;
  /** The respondent cannot complete. The server stored nothing of a save that it refused for that. */
  onFull: (quota: FullQuota) => void;
  /** The server refused these answers. They are not sent again. */
  onRefused: (save: Save, refusal: Refusal) => void;
  /** The server accepts no answers now, or the link is gone. The queue keeps them for later. */
  onClosed: (refusal: Refusal) => void;
  /** The respondent is gone (404), has to start again (422) or has an invalid session (401). */
  onLost: (refusal: Refusal) => void;
  /** The respondent began. Its definition and orders may differ from those on the screen. */
  onStarted: (begun: Pick<OwnState, "definition" | "fields" | "orderSeed">) => void;
  /** Another tab has replaced the respondent. */
  onReplaced: () => void;
  /** Another tab has sent the saves of this page. */
  onSentElsewhere: () => void;
}

interface SaverParts {
  code: string;
  language: string;
  api: LinkApi;
  store: DeviceStore;
  queue: SaveQueue;
  /** Of the orders on the screen. */
  seed: number;
  /** Tells whether another tab has replaced the respondent. */
  isReplaced: () => boolean;
  /** The page before a reload has queued the last page. */
  hasQueuedLastPage: boolean;
  ended: AbortSignal;
}

type Outcome = "stored" | "refused" | "waiting";

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/** Sends saves in order, one at a time across all tabs. Retries with backoff, or at once when online or visible. */
export function createSaver(
  { code, language, api, store, queue, seed, isReplaced, hasQueuedLastPage, ended }: SaverParts,
  events: SaverEvents,
) {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  /** Somebody waits for a save that was queued since the queue was last empty. */
  let isWaiting = hasQueuedLastPage;

  async function session() {
    if (isReplaced()) {
      if (!ended.aborted) events.onReplaced();
      throw new Error("the survey is drawn anew");
    }
    const { session, startKey } = store.read();
    if (session) return session;
    const started = await api.start({ language, orderSeed: seed }, startKey);
    store.change({ session: { respondentId: started.respondentId, sessionToken: started.sessionToken } });
    await leaveOutRemoved(queue, started.definition);
    events.onStarted(started);
    if (ended.aborted) throw new Error("the survey is drawn anew");
    return started;
  }

  async function send(waiting: Save): Promise<Outcome> {
    let save = waiting;
    try {
      const own = await inTurn(`${code} start`, session);
      // A start leaves out what its version does not have.
      const [first] = await queue.all();
      if (!first) return "stored";
      save = first;
      const submitted = await api.submit(own, save.body, save.key);
      await queue.remove(save.key);
      failures = 0;
      events.onStored(save, submitted);
      return "stored";
    } catch (error) {
      return await settle(save, error);
    }
  }

  async function settle(save: Save, error: unknown): Promise<Outcome> {
    if (!(error instanceof Refusal) || error.isRetryable) {
      waitAndTry(error instanceof Refusal ? error.retryAfterMs : undefined);
      return "waiting";
    }
    events.onState("idle");
    if (error.endsSession) events.onLost(error);
    // Keep the save even if the link is gone.
    else if (error.code === "survey_not_collecting" || error.isGone) events.onClosed(error);
    // After a reload it is sent again, and is then refused again or stored.
    else if (error.code === "quota_full") events.onFull({ message: null, ...error.details });
    else {
      await queue.remove(save.key);
      await keepIncomplete(queue);
      events.onRefused(save, error);
      return "refused";
    }
    return "waiting";
  }

  function waitAndTry(retryAfterMs: number | undefined): void {
    failures++;
    events.onState(retryAfterMs === undefined ? "offline" : "busy");
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
    clearTimeout(timer);
    if (!ended.aborted) timer = setTimeout(() => void flush(), Math.max(wait, retryAfterMs ?? 0));
  }

  async function sendAll(): Promise<void> {
    let [sent, stored] = [0, 0];
    for (let [save] = await queue.all(); save; [save] = await queue.all()) {
      if (failures === 0) events.onState("saving");
      const outcome = await send(save);
      if (outcome === "waiting") return;
      sent += 1;
      if (outcome === "stored") stored += 1;
    }
    if (sent > 0 || isWaiting) events.onState(stored === sent ? "saved" : "idle");
    if (isWaiting && sent === 0) events.onSentElsewhere();
    isWaiting = false;
    failures = 0;
  }

  /** Sends the queue. A call during a run causes another run after it. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    again = running !== undefined;
    running ??= inTurn(code, sendAll).finally(() => {
      running = undefined;
      if (again) void flush();
    });
    return running;
  }

  const nudge = () => void flush();
  addEventListener("online", nudge, { signal: ended });
  document.addEventListener("visibilitychange", nudge, { signal: ended });
  ended.addEventListener("abort", () => clearTimeout(timer));

  return {
    flush,
    session: () => inTurn(`${code} start`, session),
    async save(body: Submission): Promise<void> {
      await queue.add({ code, key: randomWord(), body });
      isWaiting = true;
      void flush();
    },
  };
}
