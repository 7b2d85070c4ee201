import { SurveyModel, settings as surveyJs } from "survey-core";
import type { PipedRespondent, PublicDefinition, PublicElement } from "@canvass/questions";
import { formattedText } from "../mapping/formatted-texts.ts";
import { keyOfName } from "../mapping/mapped-type.ts";
import { showsHearts } from "../mapping/scales.ts";
import type { Link } from "../saving/link-api.ts";
import type { Words } from "../words/words.ts";
import { registerFileList } from "./file-list.tsx";
import { registerFiles, type FileHost } from "./file-question.ts";
import { registerOwnQuestions } from "./own-questions.ts";
import { addValidation } from "./validation.ts";
import { createPagePath, type PagePath } from "./page-path.ts";
import { restore } from "./restore.ts";

registerOwnQuestions();
registerFiles();
registerFileList();
// Questions that come and go do so at once.
surveyJs.animationEnabled = false;
surveyJs.titleTags.page = "h2";
surveyJs.titleTags.question = "h3";
surveyJs.titleTags.panel = "h3";

/** A survey model that shows texts literally: it does not replace `{name}` with an answer. */
class PlainSurvey extends SurveyModel implements Partial<FileHost> {
  sendFile?: FileHost["sendFile"];
  fileWords?: FileHost["fileWords"];

  override processText(text: string): string {
    return text;
  }
  override processTextEx({ text }: { text: string }) {
    return { text, hasAllValuesOnLastRun: true };
  }
  override processHtml(html: string): string {
    return html;
  }
  override getProcessedText(text: string): string {
    return text;
  }
}

const ownParts = {
  showTitle: false,
  showNavigationButtons: false,
  showProgressBar: false,
  showCompletePage: false,
  questionErrorLocation: "bottom",
  textUpdateMode: "onTyping",
  clearInvisibleValues: "none",
  autoFocusFirstError: false,
  autoFocusFirstQuestion: false,
  widthMode: "responsive",
};

export function createSurvey(
  definition: PublicDefinition,
  given: ReadonlyMap<string, unknown>,
  { display }: Link["survey"]["settings"],
  words: Words,
  language: string,
  seed: number,
  respondent: PipedRespondent,
): { model: PlainSurvey; path: PagePath } {
  const model = new PlainSurvey({ ...ownParts, showQuestionNumbers: display.showQuestionNumbers ? "on" : "off" });
  model.fileWords = words.files;
  model.locale = language;
  model.applyTheme({ isPanelless: true });
  const path = createPagePath(model, definition, words, seed, respondent, display.flow === "question");
  addValidation(model, path, words, language);
  model.onTextMarkdown.add((_, options) => {
    const place = path.placed.get((options.element as { name?: string }).name ?? "");
    const html = place && formattedText(place.question, options.name, options.text);
    if (html !== undefined) options.html = html;
  });
  model.onUpdateQuestionCssClasses.add((_, { question, cssClasses }) => {
    const place = path.placed.get(question.name);
    if (place && showsHearts(place.question)) cssClasses.root = `${cssClasses.root} hearts`;
  });

  model.onAfterRenderQuestionInput.add((_, { question, htmlElement }) => {
    const place = path.placed.get((question.parentQuestion ?? question).name);
    if (place) htmlElement.inputMode = keyboardFor(place.question);
    // Browsers would cut pasted text without a word. The counter stays.
    htmlElement.removeAttribute("maxlength");
    // Fields of this type give the domain of an address in Punycode.
    if (question.autocomplete === "email") Object.assign(htmlElement, { inputMode: "email", autocapitalize: "none" });
  });

  const followDrawn = (key: string) => {
    const { mapped, question } = path.placed.get(key)!;
    const drawn = model.getQuestionByName(key);
    if (mapped.follow && drawn) mapped.follow(drawn, model.data, question, words);
  };
  restore(model, path, given);
  for (const key of path.placed.keys()) followDrawn(key);

  model.onValueChanged.add((_, { name }) => {
    const key = keyOfName(name);
    if (!path.placed.has(key)) return;
    path.note(key);
    followDrawn(key);
    path.follow();
  });
  return { model, path };
}

/** The decimal keypad of some phones has no minus sign. */
function keyboardFor({ typeName, settings }: PublicElement): string {
  if (typeName === "constant_sum") return "decimal";
  return typeName === "number" && Number(settings["min"] ?? 0) >= 0 ? "decimal" : "";
}
