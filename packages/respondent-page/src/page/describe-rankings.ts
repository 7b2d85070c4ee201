import { cloneElement, type VNode } from "preact";
import type { ItemValue, QuestionRankingModel } from "survey-core";
import { SurveyQuestionRanking, SurveyQuestionRankingItem } from "survey-react-ui";
import type { RankingWords } from "../words/words.ts";

/** A survey whose rankings are read aloud. */
export interface RankingHost {
  rankingWords?: RankingWords;
}

interface DrawnList {
  question: QuestionRankingModel;
  renderElement: () => VNode;
}

interface DrawnItem extends DrawnList {
  item: ItemValue;
  unrankedItem?: boolean;
}

/** Makes a ranking a list box, whose options have names. SurveyJS draws boxes without a role. */
export function describeRankings(): void {
  const list = SurveyQuestionRanking.prototype as unknown as DrawnList;
  const { renderElement: drawList } = list;
  list.renderElement = function () {
    const { ariaTitleId, isRequired } = this.question;
    const described = { role: "listbox", "aria-labelledby": ariaTitleId, "aria-required": isRequired };
    return cloneElement(drawList.call(this), described);
  };
  const option = SurveyQuestionRankingItem.prototype as unknown as DrawnItem;
  const { renderElement: drawItem } = option;
  option.renderElement = function () {
    return cloneElement(drawItem.call(this), { role: "option", "aria-label": nameOf(this) });
  };
}

/** Undefined for an entry with a place: the number and the text that it shows are its name. */
function nameOf({ question, item: { text }, unrankedItem }: DrawnItem): string | undefined {
  const words = (question.survey as RankingHost).rankingWords!;
  if (unrankedItem) return words.adds(text);
  return question.isEmpty() ? words.moves(text) : undefined;
}
