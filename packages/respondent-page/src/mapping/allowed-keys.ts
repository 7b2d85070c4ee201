/**
 * All keys for SurveyJS, which trusts its JSON: no expressions, no address but `imageLink`; `html` is escaped text, or
 * what `markdownToHtml` made of Markdown.
 */
export const allowedKeys: ReadonlySet<string> = new Set(
  `name type title titleLocation description isRequired elements showNumber startWithNewLine
  minWidth html inputType autocomplete min max step rows autoGrow maxLength minLength validators
  choices value text imageLink imageFit showLabel multiSelect commentText
  isExclusive showCommentArea isCommentRequired maxSelectedChoices searchEnabled selectToRankEnabled
  rateType rateMin rateMax rateValues displayMode minRateDescription maxRateDescription
  allowClear tooltipVisibility columns cellType eachRowRequired alternateRows items maxFiles maxSizeMb extensions`.split(
    /\s+/,
  ),
);
