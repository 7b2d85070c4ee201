import type { Question, QuestionRankingModel, QuestionSelectBase, SurveyModel } from "survey-core";
import type { Words } from "../words/words.ts";

type Attributes = Record<string, string | null>;
type Describe = (question: Question, element: HTMLElement, words: Words) => void;

/** Attributes of SurveyJS that are corrected here. */
const attributeFilter = ["role", "aria-required", "aria-invalid", "aria-labelledby", "aria-describedby", "required"];

/** Elements that a question's title names, and that have no state for required in browsers. */
const withoutRequired = "[role=group], table, input:is([type=date], [type=time], [type=datetime-local])";

/**
 * Corrects what SurveyJS tells screen readers about questions. It observes the document, since SurveyJS may draw a part
 * anew at any time; browsers call the observer before they paint.
 */
export function describeQuestions(
  { root, ended }: { root: HTMLElement; ended: AbortSignal },
  model: SurveyModel,
  words: Words,
): void {
  const observer = new MutationObserver(() => {
    for (const question of (model.currentPage?.questions ?? []) as Question[]) {
      const element = document.getElementById(question.id);
      if (element) describers[question.getType()]?.(question, element, words);
    }
    for (const each of root.querySelectorAll("[role=group]")) set(each, noStates);
    for (const each of root.querySelectorAll(withoutRequired)) nameMark(each, words);
    // The changes made here need no second look.
    observer.takeRecords();
  });
  observer.observe(root, { subtree: true, childList: true, attributeFilter });
  ended.addEventListener("abort", () => observer.disconnect());
}

function set(element: Element | null | undefined, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element?.removeAttribute(name);
    else if (element?.getAttribute(name) !== value) element?.setAttribute(name, value);
  }
}

/** WAI-ARIA 1.2 does not allow these on groups. */
const noStates: Attributes = { "aria-required": null, "aria-invalid": null };

/** Makes the mark of a required question a part of its name. */
function nameMark(element: Element, { requiredMark }: Words): void {
  const title = document.getElementById(element.getAttribute("aria-labelledby") ?? "");
  set(title?.querySelector("[data-key=req-text]"), { "aria-hidden": null, role: "img", "aria-label": requiredMark });
}

/** Named by the title; described by the errors, or else by the description. */
const texts = (question: Question): Attributes => ({
  "aria-labelledby": question.a11y_input_ariaLabelledBy,
  "aria-describedby": question.a11y_input_ariaDescribedBy,
});

const states = (question: Question): Attributes => ({
  "aria-required": String(question.isRequired),
  "aria-invalid": question.a11y_input_ariaInvalid,
});

/** SurveyJS calls some groups text fields or radio buttons. */
const asGroup = (question: Question, element: Element | null) => set(element, { role: "group", ...texts(question) });

/** Names the text field of each choice after the choice. */
const nameTexts: Describe = (question) => {
  const { visibleChoices } = question as QuestionSelectBase;
  const idOf = (question as QuestionSelectBase).getItemCommentId.bind(question);
  for (const choice of visibleChoices) set(document.getElementById(idOf(choice)), { "aria-label": choice.text });
};

const describeCheckboxes: Describe = (question, element, words) => {
  nameTexts(question, element, words);
  // Browsers take each required checkbox that is not checked for invalid, unless they are told.
  for (const box of element.querySelectorAll("input[type=checkbox]"))
    set(box, { "aria-invalid": question.a11y_input_ariaInvalid });
};

const describePictures: Describe = (question, element) => {
  set(element, { ...texts(question), ...states(question) });
  set(element.querySelector("fieldset"), { role: "presentation" });
  set(document.getElementById(question.commentId), { "aria-label": question.commentText });
};

/** Makes a ranking a list box with options. SurveyJS draws boxes without a role in a group. */
const describeRanking: Describe = (question, element, { ranking }) => {
  const drawn = question as QuestionRankingModel;
  const { visibleChoices, selectToRankEnabled, value = [] } = drawn;
  set(element, { role: null, "aria-labelledby": null, "aria-describedby": null, ...noStates });
  set(element.querySelector(".sv-ranking"), { role: "listbox", ...texts(question), ...states(question) });
  for (const choice of visibleChoices) {
    const hasPlace = selectToRankEnabled ? (value as unknown[]).includes(choice.value) : !question.isEmpty();
    const hint = selectToRankEnabled ? ranking.adds : ranking.moves;
    // The number and the text that an entry with a place shows are its name.
    const name = hasPlace ? null : hint(choice.text);
    set(document.getElementById(drawn.getItemId(choice)), { role: "option", "aria-label": name });
  }
};

const describers: Record<string, Describe> = {
  slider: asGroup,
  files: asGroup,
  multipletext: asGroup,
  radiogroup: nameTexts,
  checkbox: describeCheckboxes,
  imagepicker: describePictures,
  matrix: (question, element) => asGroup(question, element.querySelector("fieldset")),
  matrixdropdown: (question, element) => set(element.querySelector("table"), texts(question)),
  ranking: describeRanking,
};
