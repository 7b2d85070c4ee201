import {
  QuestionCheckboxModel,
  QuestionImagePickerModel,
  QuestionTextModel,
  Serializer,
  type ItemValue,
} from "survey-core";

class Pictures extends QuestionImagePickerModel {
  /** A choice stays enabled when its picture does not load: its text is enough. */
  override getItemEnabled(item: ItemValue): boolean {
    return !this.isInputReadOnly && item.isEnabled;
  }
}

class Checkboxes extends QuestionCheckboxModel {
  /** A choice that goes alone can be chosen in place of others, also where no more may be chosen. */
  override getItemEnabled(item: ItemValue): boolean {
    return !this.isInputReadOnly && (item.isEnabled || item["isExclusive"] === true);
  }
}

class TextField extends QuestionTextModel {
  /** Otherwise SurveyJS reads e-mail, URL and phone fields on blur only, and a redraw before that empties the field. */
  protected override isTextValue(): boolean {
    return true;
  }
}

/** Has SurveyJS draw these where a definition names its own. */
export function registerOwnQuestions(): void {
  Serializer.overrideClassCreator("imagepicker", () => new Pictures(""));
  Serializer.overrideClassCreator("checkbox", () => new Checkboxes(""));
  Serializer.overrideClassCreator("text", () => new TextField(""));
}
