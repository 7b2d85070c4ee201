import type { Question, QuestionRankingModel, QuestionSelectBase, SurveyModel } from "survey-core";
import type { Words } from "../words/words.ts";

type Attributes = Record<string, string | null>;
type Describe = (question: Question, element: HTMLElement, words: Words) => void;

/** Attributes of SurveyJS that are corrected here. */
const attributeFilter = ["role", "aria-required", "aria-invalid", "aria-labelledby", "aria-describedby", "required"];

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
    for (const group of root.querySelectorAll("[role=group]")) describeGroup(group, words);
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

/** WAI-ARIA 1.2 allows these two on single controls and lists only. The title of a required group tells it instead. */
function describeGroup(group: Element, { requiredMark }: Words): void {
  set(group, { "aria-required": null, "aria-invalid": null });
  const title = document.getElementById(group.getAttribute("aria-labelledby") ?? "");
  set(title?.querySelector("[data-key=req-text]"), { "aria-hidden": null, role: "img", "aria-label": requiredMark });
}

/** SurveyJS calls a group of fields a text field. */
const asGroup: Describe = (_, element) => set(element, { role: "group" });

/** Gives the texts of choices the names of their choices. */
const nameTexts: Describe = (question) => {
  const { visibleChoices } = question as QuestionSelectBase;
  for (const choice of visibleChoices)
    set(document.getElementById((question as QuestionSelectBase).getItemCommentId(choice)), { "aria-label": choice.text });
};

/** Browsers take each required checkbox that is not checked for invalid, unless they are told. */
const tellFaults: Describe = (question, element) => {
  for (const box of element.querySelectorAll("input[type=checkbox]"))
    set(box, { "aria-invalid": question.a11y_input_ariaInvalid });
};

/** A list box with options. SurveyJS draws boxes without a role in a group. */
const describeRanking: Describe = (question, element, { ranking }) => {
  const { visibleChoices, selectToRankEnabled, value = [] } = question as QuestionRankingModel;
  set(element, { role: null, "aria-labelledby": null, "aria-describedby": null, ...noState });
  set(element.querySelector(".sv-ranking"), {
    role: "listbox",
    "aria-labelledby": question.a11y_input_ariaLabelledBy,
    "aria-describedby": question.a11y_input_ariaDescribedBy,
    "aria-required": question.a11y_input_ariaRequired,
    "aria-invalid": question.a11y_input_ariaInvalid,
  });
  for (const choice of visibleChoices) {
    const hasPlace = selectToRankEnabled ? (value as unknown[]).includes(choice.value) : !question.isEmpty();
    // The number and the text that an entry shows are its name.
    const name = hasPlace ? null : (selectToRankEnabled ? ranking.adds : ranking.moves)(choice.text);
    const option = document.getElementById((question as QuestionRankingModel).getItemId(choice));
    set(option, { role: "option", "aria-label": name });
  }
};

const noState: Attributes = { "aria-required": null, "aria-invalid": null };

const describers: Record<string, Describe> = {
  slider: asGroup,
  files: asGroup,
  radiogroup: nameTexts,
  checkbox(...drawn) {
    nameTexts(...drawn);
    tellFaults(...drawn);
  },
  imagepicker: (question, element) =>
    set(element, { "aria-required": question.a11y_input_ariaRequired }),
  matrix: (question, element) =>
    set(element.querySelector("fieldset"), { role: "group", "aria-labelledby": question.a11y_input_ariaLabelledBy }),
  matrixdropdown: (question, element) =>
    set(element.querySelector("table"), { "aria-labelledby": question.a11y_input_ariaLabelledBy }),
  ranking: describeRanking,
};
