/**
 * Every key that the page passes to SurveyJS, which trusts its JSON. None is an expression or an address to load from.
 * `html` is the only key with HTML, and the mapping escapes it.
 */
export const allowedKeys: ReadonlySet<string> = new Set(
  `name type title titleLocation description isRequired elements showNumber startWithNewLine
  minWidth html inputType autocomplete min max step rows autoGrow maxLength minLength validators
  choices choicesOrder value text imageLink imageFit showLabel multiSelect commentText
  showOtherItem otherText minSelectedChoices maxSelectedChoices searchEnabled selectToRankEnabled
  rateType rateMin rateMax rateValues displayMode minRateDescription maxRateDescription
  allowClear tooltipVisibility columns cellType eachRowRequired alternateRows items maxFiles maxSizeMb extensions`.split(
    /\s+/,
  ),
);
