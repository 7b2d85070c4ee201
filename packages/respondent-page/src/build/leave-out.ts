import type { Plugin } from "vite";

const leftOut: Record<string, readonly string[]> = {
  "survey-core": [
    "QuestionPanelDynamicModel",
    "QuestionPanelDynamicItem",
    "QuestionMatrixDynamicModel",
    "MatrixDynamicRowModel",
    "QuestionFileModel",
    "QuestionFilePage",
    "QuestionFileModelBase",
    "FileLoader",
    "QuestionSignaturePadModel",
    "SignaturePad",
    "QuestionImageMapModel",
    "QuestionImageModel",
    "QuestionCompositeModel",
    "QuestionCustomModel",
    "QuestionCustomModelBase",
    "QuestionExpressionModel",
    "ExpressionItem",
    "QuestionTagboxModel",
    "QuestionButtonGroupModel",
    "ButtonGroupItemValue",
    "FlowPanelModel",
    "InputMaskPattern",
    "InputMaskNumeric",
    "InputMaskCurrency",
    "InputMaskDateTime",
    "Cover",
    "CoverCell",
    "PopupSurveyModel",
    "SurveyWindowModel",
    "SurveyTriggerVisible",
    "SurveyTriggerComplete",
    "SurveyTriggerSetValue",
    "SurveyTriggerSkip",
    "SurveyTriggerRunExpression",
    "SurveyTriggerCopyValue",
  ],
  "survey-react-ui": [
    "SurveyQuestionFile",
    "SurveyFileChooseButton",
    "SurveyFilePreview",
    "SurveyFileItem",
    "SurveyQuestionSignaturePad",
    "SurveyQuestionImageMap",
    "SurveyQuestionImage",
    "SurveyQuestionCustom",
    "SurveyQuestionComposite",
    "SurveyQuestionExpression",
    "SurveyQuestionTagbox",
    "SurveyQuestionTagboxItem",
    "TagboxFilterString",
    "SurveyQuestionButtonGroup",
    "SurveyButtonGroupItem",
    "SurveyQuestionMatrixDynamic",
    "SurveyQuestionMatrixDynamicAddButton",
    "SurveyQuestionMatrixDynamicRemoveButton",
    "SurveyQuestionPanelDynamic",
    "SurveyQuestionPanelDynamicAddButton",
    "SurveyQuestionPanelDynamicNextButton",
    "SurveyQuestionPanelDynamicPrevButton",
    "SurveyQuestionPanelDynamicProgressText",
    "SurveyQuestionPanelDynamicRemoveButton",
    "SurveyFlowPanel",
    "PopupSurvey",
    "SurveyWindow",
    "Header",
    "HeaderMobile",
    "HeaderCell",
    "LogoImage",
    "SurveyTimerPanel",
    "SurveyBreadcrumbs",
    "SurveyQuestionMatrixDetailButton",
    "SurveyProgress",
    "SurveyProgressButtons",
    "SurveyProgressToc",
    "SurveyLocStringEditor",
  ],
};

/** Replaces the expression parser: no text can become an expression, and parsing throws a SyntaxError. */
const grammar = {
  declares: "const peggyParser =",
  instead: `const peggyParser = { SyntaxError: class extends SyntaxError {}, parse() { throw new SyntaxError("left out"); } };`,
};

const modules = /\/(survey-core|survey-react-ui)\/fesm\/\1\.mjs$/;

/** Removes the statements that register these classes, so that the bundler drops them. Fails if a class is missing. */
export function leaveOut(): Plugin {
  return {
    name: "leave-out",
    transform: {
      filter: { id: modules },
      handler(code, id) {
        const name = modules.exec(id)![1]!;
        const classes = leftOut[name]!;
        const absent = classes.filter((each) => !code.includes(`class ${each} `));
        if (absent.length > 0) this.error(`${name} has no ${absent.join(", ")}`);
        return { code: without(code, this.parse(code).body, classes), map: null };
      },
    },
  };
}

type Statement = { type: string; start: number; end: number };

function without(code: string, statements: readonly Statement[], classes: readonly string[]): string {
  const mention = new RegExp(`\\b(?:${classes.join("|")})\\b`);
  const kept = statements.map(({ type, start, end }) => {
    const text = code.slice(start, end);
    if (text.startsWith(grammar.declares)) return grammar.instead;
    return type === "ExpressionStatement" && mention.test(text) ? "" : text;
  });
  return kept.join("\n");
}
