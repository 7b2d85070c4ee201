import type { Question, SurveyModel } from "survey-core";
import { mappedTypeOf } from "../mapping/mapped-types.ts";
import type { Words } from "../words/words.ts";
import type { PagePath } from "./page-path.ts";

/** Lets a respondent remove an optional radio answer: by a button, a second press or Delete. Announces the removal. */
export function takeBack(
  { root, ended }: { root: HTMLElement; ended: AbortSignal },
  model: SurveyModel,
  path: PagePath,
  words: Words,
): void {
  const status = document.createElement("p");
  status.className = "sr-only";
  status.setAttribute("role", "status");
  root.after(status);
  ended.addEventListener("abort", () => status.remove());
  const buttons = new Map<string, HTMLButtonElement>();

  const hasRadios = ({ name }: Question) => {
    const question = path.placed.get(name)?.question;
    return question !== undefined && mappedTypeOf(question)?.hasRadios === true;
  };
  const isOptional = (question: Question) => hasRadios(question) && !path.placed.get(question.name)!.question.required;

  function offer(question: Question, element: HTMLElement): void {
    const isOffered = isOptional(question) && element.querySelector("input[type=radio]") !== null;
    if (!isOffered || element.querySelector(":scope > .clear")) return;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "clear", textContent: words.clear, hidden: question.isEmpty() });
    button.setAttribute("aria-label", [words.clear, question.title].filter(Boolean).join(": "));
    button.addEventListener("click", () => {
      clear(question);
      element.querySelector("input")?.focus({ preventScroll: true });
    });
    buttons.set(question.name, button);
    element.append(button);
  }

  function clear(question: Question, row?: string): void {
    if (question.isReadOnly) return;
    const { [row ?? ""]: _, ...others } = (row === undefined ? {} : question.value) as Record<string, unknown>;
    if (Object.keys(others).length > 0) question.value = others;
    else question.clearValue();
    status.textContent = words.cleared;
  }

  function radioAt(target: EventTarget | null) {
    if (!(target instanceof HTMLInputElement) || target.type !== "radio") return undefined;
    const question = model.currentPage.questions.find((each: Question) =>
      document.getElementById(each.id)?.contains(target),
    );
    if (!question || !hasRadios(question)) return undefined;
    const row = question.visibleRows?.find((each: { fullName: string }) => each.fullName === target.name)?.name as
      | string
      | undefined;
    const chosen = (row === undefined ? question.value : question.value?.[row]) as string | number | undefined;
    const isChosen = chosen !== undefined && String(chosen) === target.value;
    return { question: question as Question, row, isChosen };
  }

  /** Clicks in a row; 0 after a key. The second click of a double click removes nothing. */
  let presses = 0;
  const on = <Name extends keyof HTMLElementEventMap>(name: Name, hear: (event: HTMLElementEventMap[Name]) => void) =>
    root.addEventListener(name, hear, { capture: true, signal: ended });
  on("mousedown", ({ detail }) => (presses = detail));
  on("keydown", (event) => {
    presses = 0;
    const radio = /^(?:Delete|Backspace)$/.test(event.key) ? radioAt(event.target) : undefined;
    if (!radio?.isChosen || !isOptional(radio.question)) return;
    event.preventDefault();
    clear(radio.question, radio.row);
  });
  on("click", (event) => {
    const radio = radioAt(event.target);
    if (!radio?.isChosen) return;
    // SurveyJS also clears ratings, but even required ones and on a double click.
    event.stopPropagation();
    if (presses === 1 && isOptional(radio.question)) clear(radio.question, radio.row);
  });

  model.onAfterRenderQuestion.add((_, { question, htmlElement }) => offer(question, htmlElement));
  model.onValueChanged.add(() => {
    status.textContent = "";
    for (const [name, button] of buttons) button.hidden = model.getQuestionByName(name)?.isEmpty() ?? true;
  });
}
