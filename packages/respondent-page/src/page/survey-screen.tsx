import type { FunctionComponent } from "preact";
import { Survey } from "survey-react-ui";
import type { SurveyModel } from "survey-core";
import type { Link } from "../saving/link-api.ts";
import type { SavingState } from "../saving/saver.ts";
import type { Words } from "../words/words.ts";
import { ErrorSummary, type Problem } from "./error-summary.tsx";
import { Languages } from "./languages.tsx";
import { Progress } from "./progress.tsx";
import { Stopped } from "./stopped.tsx";

export interface SurveyScreenState {
  saving: SavingState;
  problems: readonly Problem[];
  isSending: boolean;
  /** Why the server accepts no answers; empty if it does. */
  stopped: string;
  isChangedElsewhere: boolean;
  /** Tells screen readers that questions came or went; empty before. */
  change: string;
  position: number;
  total: number;
}

interface SurveyScreenProps extends SurveyScreenState {
  model: SurveyModel;
  link: Link;
  words: Words;
  language: string;
  /** True if unsent answers survive a reload. */
  isKept: boolean;
  onNext: () => void;
  onPrevious: () => void;
  onLanguage: (language: string) => void;
  onProblem: (problem: Problem) => void;
  onRetry: () => void;
}

const Questions = Survey as unknown as FunctionComponent<{ model: SurveyModel }>;

export function SurveyScreen(props: SurveyScreenProps) {
  const { model, link, words, position, total, problems, onProblem } = props;
  const { name, description, settings } = link.survey;
  const { display, welcome } = settings;
  const isFirst = position === 1 && !welcome?.enabled;
  const place = (display.flow === "question" ? words.screen : words.step)(position, total);
  return (
    <div class={`survey by-${display.flow}`}>
      <Progress style={display.progressStyle} position={position} total={total} place={place} words={words} />
      <header class={isFirst ? undefined : "later"}>
        {display.logo && <img class="logo" src={display.logo} alt="" />}
        <Languages {...props} />
        <h1>{name}</h1>
        {description && isFirst && <p class="plain description">{description}</p>}
        {!props.isKept && position === 1 && (
          <p class="unkept" role="note">
            {words.unkept}
          </p>
        )}
      </header>
      <main id="questions" tabIndex={-1} aria-label={place}>
        <ErrorSummary problems={problems} words={words} onProblem={onProblem} />
        <div role="status">{props.isChangedElsewhere && <p class="elsewhere">{words.elsewhere}</p>}</div>
        <p class="sr-only" role="status">
          {props.change}
        </p>
        <Questions model={model} />
        <Navigation {...props} />
        <Stopped text={props.stopped} isKept={props.isKept} words={words} onRetry={props.onRetry} />
      </main>
      {display.showBranding && <p class="branding">{words.madeWith} Canvass</p>}
    </div>
  );
}

function Navigation(props: SurveyScreenProps) {
  const { link, words, position, total, isSending, saving, onNext, onPrevious } = props;
  const { navigation } = link.survey.settings;
  const isLast = position === total;
  const label = isLast ? (navigation.buttonDone ?? words.done) : (navigation.buttonNext ?? words.next);
  return (
    // No focus change on a press: the messages that appear on blur would move the button away from the pointer.
    <nav onMouseDown={(event) => event.preventDefault()}>
      <button class="button main" type="button" disabled={isSending} aria-busy={isSending} onClick={leaving(onNext)}>
        {label}
      </button>
      {navigation.showPrevious && position > 1 && (
        <button class="button" type="button" disabled={isSending} onClick={leaving(onPrevious)}>
          {navigation.buttonPrevious ?? words.previous}
        </button>
      )}
      <p class={`saving ${saving}`} role="status">
        {savingText(props)}
      </p>
    </nav>
  );
}

/** Blurs the field first, so that SurveyJS reads it. Ignores the second click of a double click. */
const leaving = (go: () => void) => (event: MouseEvent) => {
  if (event.detail > 1) return;
  (document.activeElement as HTMLElement | null)?.blur();
  go();
};

function savingText({ saving, isSending, stopped, isKept, words }: SurveyScreenProps): string {
  if (saving === "offline" || saving === "busy") return `${words[saving]} ${isKept ? words.kept : words.keepOpen}`;
  if (isSending && !stopped) return words.sending;
  return { idle: "", saving: words.saving, saved: words.saved }[saving];
}
