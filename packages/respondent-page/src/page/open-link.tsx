import { asAddress, fillTemplate, hasBraces, pipedText, type PublicDefinition, type ValueOf } from "@canvass/questions";
import { loadFormatting } from "../build/formatting.ts";
import { loadPatterns } from "../build/patterns.ts";
import { render, type VNode } from "preact";
import { startOver } from "../saving/start-over.ts";
import { deviceStore, randomWord } from "../saving/device-store.ts";
import { watchOtherDevices } from "../saving/watch-other-devices.ts";
import { linkApi, type FullQuota, type Link, type OwnState } from "../saving/link-api.ts";
import { ownFields } from "../saving/own-fields.ts";
import { ownOrderSeed } from "../saving/own-order-seed.ts";
import { Refusal } from "../saving/refusal.ts";
import { repeatStart } from "../saving/repeat-start.ts";
import { openSaveQueue, type Save } from "../saving/save-queue.ts";
import { closedText } from "../words/closed-text.ts";
import { directionOf, loadWords } from "../words/languages.ts";
import type { Words } from "../words/words.ts";
import { scrollToBegin } from "./embedding.ts";
import { ownAnswers, valuesOf } from "./own-answers.ts";
import { forgetPages } from "./page-history.ts";
import { runSurvey } from "./run-survey.tsx";
import { Password } from "./password.tsx";
import { Closed, Done, Framed, Notice } from "./screens.tsx";
import { loadSurveyjsWords } from "./surveyjs-words.ts";
import { untilReached } from "./until-reached.ts";
import { Welcome } from "./welcome.tsx";

export async function openLink(root: HTMLElement, code: string): Promise<void> {
  const store = deviceStore(code);
  const api = watchOtherDevices(repeatStart(linkApi(code), store), store);
  const queue = await openSaveQueue(code);
  /** Saves that were not answered when the respondent was read. */
  let waiting: Save[] = [];
  /** Ends what is on the screen. */
  let ending = new AbortController();
  let opening = Promise.resolve();
  let reopenings = 0;
  let words = await loadWords(document.documentElement.lang);
  // A sandboxed frame has no origin and cannot send requests.
  if (self.origin === "null") return show(<Framed words={words} />);
  const reach = <Answer,>(call: () => Promise<Answer>): Promise<Answer> =>
    untilReached(call, () => show(<Notice title={document.title} text={words.unreachable} />));
  await open();

  function clear(): void {
    ending.abort();
    ending = new AbortController();
    render(null, root);
    root.replaceChildren();
  }

  function show(screen: VNode): void {
    clear();
    render(screen, root);
    root.querySelector<HTMLElement>("[tabindex='-1']")?.focus();
  }

  /** Opens the link again, after an opening that is under way; once for all that ask before it begins. */
  function reopen(): Promise<void> {
    const own = (reopenings += 1);
    const openIfLast = () => (own === reopenings ? open() : undefined);
    return (opening = opening.catch(() => undefined).then(openIfLast));
  }

  async function open(): Promise<void> {
    try {
      const { session, language: chosen } = store.read();
      const link = await reach(() => api.readLink(session, chosen));
      const language = link.survey.shownLanguage;
      words = await speak(language);
      await choose(link, language);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      show(<Notice title={words.notFound} text={words.notFoundHint} />);
    }
  }

  async function choose(link: Link, language: string): Promise<void> {
    if (store.read().isDone) return showDone(link, words.answered, await endOf(link, language));
    if (link.state === "closed") return showClosed(link);
    const own = await readOwn(language);
    if (own?.status === "completed") return finish(link, valuesOf(link, own, language));
    if (own && (await isEndedByQuota(own))) {
      const message = pipedText(own.quotaFull?.message ?? "", valuesOf(link, own, language));
      return showFull(link, { message });
    }
    if (own) return run(link, language, own.definition, own);
    if (link.requiresPassword || !link.definition) return showPassword(link, language);
    if (link.goesOn) return goOn(link, language);
    return run(link, language, link.definition);
  }

  /** Answers that were not sent yet may lead out of a quota. */
  async function isEndedByQuota({ status, quotaFull }: OwnState): Promise<boolean> {
    return status === "screened_out" || (quotaFull !== undefined && (await queue.all()).length === 0);
  }

  /** Values of the end for the respondent of this device, if its texts or its address have placeholders. */
  async function endOf(link: Link, language: string): Promise<ValueOf> {
    const { title, message, redirectUrl } = link.survey.settings.completion;
    const isFilled = [title, message, redirectUrl].some((text) => hasBraces(text ?? ""));
    const own = isFilled ? await readOwn(language) : undefined;
    return own ? valuesOf(link, own, language) : () => undefined;
  }

  /** Continues as a respondent who began on another device or in a browser without storage. */
  async function goOn(link: Link, language: string): Promise<void> {
    try {
      await reach(() => begin(link, { language }));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "survey_not_collecting") throw error;
      return showClosed({ ...link, reason: String(error.details["reason"]) });
    }
    const own = await readOwn(language);
    return own ? run(link, language, own.definition, own) : open();
  }

  async function begin(link: Link, body: { password?: string; language: string }): Promise<void> {
    // Another tab may have begun.
    if (store.read().session) return;
    const { respondentId, sessionToken } = await api.start(
      { ...body, orderSeed: ownOrderSeed(link, code, store) },
      store.read().startKey,
    );
    store.change({ session: { respondentId, sessionToken } });
  }

  /** Reads the respondent of this device; undefined if there is none, or if it is deleted or has to start again. */
  async function readOwn(language: string): Promise<OwnState | undefined> {
    waiting = await queue.all();
    const { session } = store.read();
    if (!session) return undefined;
    try {
      for (;;) {
        const own = await reach(() => api.readOwn(session, language));
        const left = await queue.all();
        // A save that was answered meanwhile may be in neither.
        if (waiting.every(({ key }) => left.some((save) => save.key === key))) return own;
        waiting = left;
      }
    } catch (error) {
      if (!(error instanceof Refusal) || !error.endsSession) throw error;
      await startOver(store, queue, {});
      waiting = [];
      await forgetPages();
      return undefined;
    }
  }

  /** Shows the questions, and before them the welcome screen to a respondent who has neither left it nor answered. */
  async function run(link: Link, language: string, definition: PublicDefinition, own?: OwnState): Promise<void> {
    const hasBegun = store.read().isWelcomed || Boolean(own?.pageId) || (own?.answers.length ?? 0) > 0;
    if (hasBegun || !link.survey.settings.welcome?.enabled) return ask(link, language, definition, own);
    const start = async () => {
      store.change({ isWelcomed: true });
      await ask(link, language, definition, own);
      // Browsers would scroll to the middle of a long page.
      document.getElementById("questions")?.focus({ preventScroll: true });
      scrollToBegin(root);
    };
    document.title = link.survey.name;
    clear();
    render(<Welcome {...{ link, words, language, onLanguage }} start={() => void start()} />, root);
  }

  function onLanguage(chosen: string): void {
    store.change({ language: chosen });
    // Keyboards pass through the languages one by one.
    void reopen().then(() => root.querySelector<HTMLElement>(".languages select")?.focus());
  }

  async function ask(link: Link, language: string, definition: PublicDefinition, own?: OwnState): Promise<void> {
    const json = JSON.stringify(definition);
    if (json.includes('"pattern":"')) await loadPatterns();
    if (json.includes('"textFormat":"markdown"')) await loadFormatting();
    document.title = link.survey.name;
    const wordsLanguage = await loadSurveyjsWords(language);
    const queued = await queue.all();
    const stored = ownAnswers(own, [...waiting, ...queued]);
    // Nothing is awaited from here on, so that no empty page is drawn.
    clear();
    runSurvey({
      root,
      ending,
      code,
      api,
      store,
      queue,
      link,
      definition,
      fields: own?.fields ?? ownFields(link, definition),
      words,
      language,
      wordsLanguage,
      stored,
      lastPage: own?.pageId ?? null,
      orderSeed: own?.orderSeed ?? null,
      isSending: queued.some(({ body }) => body.metadata.complete),
      onDone: (valueOf, text) => finish(link, valueOf, text),
      onFull: (quota) => showFull(link, quota),
      onReload: () => void reopen(),
      whyClosed,
      onLanguage,
    });
  }

  async function whyClosed({ details }: Refusal): Promise<string> {
    const link = await api.readLink(store.read().session, store.read().language).catch(() => undefined);
    return link?.message || closedText(words, link?.reason ?? String(details["reason"]));
  }

  function finish(link: Link, valueOf: ValueOf, text = words.thanks): void {
    store.change({ isDone: true, draft: {} });
    const onward = onwardOf(link, valueOf);
    if (!onward || link.survey.settings.completion.buttonRedirect) return showDone(link, text, valueOf);
    // A respondent who comes back sees the end, not the page that was left.
    addEventListener("pageshow", () => void open(), { once: true });
    location.replace(onward);
  }

  function onwardOf(link: Link, valueOf: ValueOf): string | null {
    const url = fillTemplate(link.survey.settings.completion.redirectUrl ?? "", valueOf, asAddress);
    return /^https?:\/\//i.test(url) ? url : null;
  }

  function showDone(link: Link, usual: string, valueOf: ValueOf): void {
    const { title, message } = link.survey.settings.completion;
    const texts = {
      title: title === null ? null : pipedText(title, valueOf),
      text: message === null ? usual : pipedText(message, valueOf),
    };
    const begin = async () => {
      // Another tab may have begun again.
      if (store.read().isDone) await forgetRespondent();
      await forgetPages();
      await open();
    };
    void forgetPages();
    show(<Done {...{ link, words, ...texts }} begin={() => void begin()} onward={onwardOf(link, valueOf)} />);
  }

  /** A save that could not be removed must not be sent for the next respondent. */
  async function forgetRespondent(): Promise<void> {
    store.clear();
    for (const { key } of await queue.all()) await queue.remove(key);
  }

  function showClosed(link: Link): void {
    show(<Closed {...{ link, words }} retry={() => void open()} />);
  }

  function showFull(link: Link, quota: FullQuota): void {
    show(<Notice title={link.survey.name} text={quota.message || words.full} />);
  }

  function showPassword(link: Link, language: string): void {
    const enter = async (password: string, tell: (text: string) => void): Promise<string | null> => {
      try {
        await untilReached(
          () => begin(link, { password, language }),
          () => tell(words.unreachable),
        );
        await choose(link, language);
        return null;
      } catch (error) {
        if (!(error instanceof Refusal)) return words.unreachable;
        if ("password" in error.details) return words.wrongPassword;
        if (error.code === "idempotency_key_reused") return enterAnew(password, tell);
        await open();
        return null;
      }
    };
    /** A start whose response was lost took effect with another password. If that is still right, it is that start's. */
    const enterAnew = async (password: string, tell: (text: string) => void): Promise<string | null> => {
      const { startKey, start } = store.read();
      store.change({ startKey: randomWord(), start: undefined });
      const violation = await enter(password, tell);
      if (violation === words.wrongPassword) store.change({ startKey, start });
      return violation;
    };
    show(<Password words={words} title={link.survey.name} open={enter} />);
  }

  async function speak(language: string): Promise<Words> {
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
    return loadWords(language);
  }
}
